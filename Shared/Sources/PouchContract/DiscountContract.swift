import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let discounts = Exchange<PageQuery, Page<ManagedDiscount>>(
        "discounts", .get, "/v1/admin/discounts", .staff(.readCatalog),
        about: "Lists the discounts with the number of their uses, latest first.")
    public static let discount = Exchange<NoInput, ManagedDiscount>(
        "discount", .get, "/v1/admin/discounts/{id}", .staff(.readCatalog), .versioned,
        about: "Returns a discount with the number of its uses.")
    public static let addDiscount = Exchange<DiscountTerms, ManagedDiscount>(
        "addDiscount", .post, "/v1/admin/discounts", .staff(.writeDiscounts), status: 201, .firstVersion,
        problems: [.codeTaken],
        about: "Adds a discount code. Its kind determines the required fields.")
    public static let updateDiscount = Exchange<DiscountPatch, ManagedDiscount>(
        "updateDiscount", .patch, "/v1/admin/discounts/{id}", .staff(.writeDiscounts), .versioned,
        problems: [.codeTaken],
        about: "Updates the fields in the body; null clears a field. With If-Match, the update fails if another "
            + "version is current. A use of the discount does not change its version.")
    public static let deleteDiscount = Exchange<NoInput, NoContent>(
        "deleteDiscount", .delete, "/v1/admin/discounts/{id}", .staff(.writeDiscounts), status: 204,
        about: "Deletes a discount. Existing orders keep it.")

    static let discountExchanges: [any AnyExchange] = [
        discounts, discount, addDiscount, updateDiscount, deleteDiscount,
    ]
}

/// The body of `updateDiscount`.
///
/// A change of the kind also clears the values of the old kind that the patch does not set.
public struct DiscountPatch: JSONModel, Equatable, FieldsDescribed {
    public var code: String?
    public var kind: DiscountTerms.Kind?
    public var basisPoints: FieldChange<Int> = .keep
    public var amount: FieldChange<Money> = .keep
    public var buy: FieldChange<Int> = .keep
    public var get: FieldChange<Int> = .keep
    public var startsAt: FieldChange<Date> = .keep
    public var endsAt: FieldChange<Date> = .keep
    public var minimum: FieldChange<Money> = .keep
    public var products: FieldChange<[String]> = .keep
    public var categories: FieldChange<[String]> = .keep
    public var limit: FieldChange<Int> = .keep
    public var limitPerAccount: FieldChange<Int> = .keep

    public static let fieldFacts = DiscountTerms.fieldFacts

    /// The patch that changes nothing.
    public static let empty = DiscountPatch(code: nil)

    public func applied(to old: DiscountTerms) -> DiscountTerms {
        let keepsValues = kind == nil || kind == old.kind
        func value<Value>(_ change: FieldChange<Value>, _ before: Value?) -> Value? {
            change.applied(to: keepsValues ? before : nil)
        }
        return DiscountTerms(
            code: code ?? old.code,
            kind: kind ?? old.kind,
            basisPoints: value(basisPoints, old.basisPoints),
            amount: value(amount, old.amount),
            buy: value(buy, old.buy),
            get: value(get, old.get),
            startsAt: startsAt.applied(to: old.startsAt),
            endsAt: endsAt.applied(to: old.endsAt),
            minimum: minimum.applied(to: old.minimum),
            products: products.applied(to: old.products),
            categories: categories.applied(to: old.categories),
            limit: limit.applied(to: old.limit),
            limitPerAccount: limitPerAccount.applied(to: old.limitPerAccount)
        )
    }

    public static let json = JSONObject(
        DiscountPatch.init(
            code:kind:basisPoints:amount:buy:get:startsAt:endsAt:minimum:products:categories:limit:limitPerAccount:),
        .nonNull("code", \.code), .nonNull("kind", \.kind), .field("basisPoints", \.basisPoints),
        .field("amount", \.amount), .field("buy", \.buy), .field("get", \.get), .field("startsAt", \.startsAt),
        .field("endsAt", \.endsAt), .field("minimum", \.minimum), .field("products", \.products),
        .field("categories", \.categories), .field("limit", \.limit),
        .field("limitPerAccount", \.limitPerAccount))
}

extension DiscountPatch {
    /// Creates the smallest patch that changes the old terms to the new ones.
    public init(from old: DiscountTerms, to new: DiscountTerms) {
        func change<Value: Equatable>(_ value: KeyPath<DiscountTerms, Value?>) -> FieldChange<Value> {
            guard old[keyPath: value] != new[keyPath: value] else { return .keep }
            return new[keyPath: value].map { .set($0) } ?? .clear
        }
        self.init(
            code: old.code == new.code ? nil : new.code,
            kind: old.kind == new.kind ? nil : new.kind,
            basisPoints: change(\.basisPoints),
            amount: change(\.amount),
            buy: change(\.buy),
            get: change(\.get),
            startsAt: change(\.startsAt),
            endsAt: change(\.endsAt),
            minimum: change(\.minimum),
            products: change(\.products),
            categories: change(\.categories),
            limit: change(\.limit),
            limitPerAccount: change(\.limitPerAccount))
    }
}

extension DiscountTerms: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "code": .pattern("^[A-Za-z0-9._-]{3,40}$"), "basisPoints": .range(ModelLimits.discountBasisPoints),
        "buy": .range(ModelLimits.quantity), "get": .range(ModelLimits.quantity),
        "limit": .range(ModelLimits.discountUses), "limitPerAccount": .range(ModelLimits.discountUses),
        "products": .count(0...ModelLimits.discountScope), "categories": .count(0...ModelLimits.discountScope),
    ]
}
