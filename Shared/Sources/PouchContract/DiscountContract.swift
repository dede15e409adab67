import Foundation
import PouchEntities
import PouchWire

extension Contract {
    public static let discounts = Exchange<NoBody, Page<ManagedDiscount>>(.discounts)
    public static let addDiscount = Exchange<DiscountTerms, ManagedDiscount>(
        .addDiscount, status: 201, problems: [.codeTaken])
    public static let updateDiscount = Exchange<DiscountPatch, ManagedDiscount>(
        .updateDiscount, problems: [.codeTaken])
    public static let deleteDiscount = Exchange<NoBody, NoContent>(.deleteDiscount, status: 204)

    static let discounting: [any AnyExchange] = [discounts, addDiscount, updateDiscount, deleteDiscount]
}

/// The body of `updateDiscount`.
///
/// A change of the kind also clears the values of the old kind that the patch does not set.
public struct DiscountPatch: Codable, Sendable, Equatable {
    @NonNull public var code: String?
    @NonNull public var kind: DiscountTerms.Kind?
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

    public init() {}

    /// The smallest patch that turns the old terms into the new ones.
    public init(from old: DiscountTerms, to new: DiscountTerms) {
        func change<Value: Equatable>(_ value: KeyPath<DiscountTerms, Value?>) -> FieldChange<Value> {
            guard old[keyPath: value] != new[keyPath: value] else { return .keep }
            return new[keyPath: value].map { .set($0) } ?? .clear
        }
        code = old.code == new.code ? nil : new.code
        kind = old.kind == new.kind ? nil : new.kind
        basisPoints = change(\.basisPoints)
        amount = change(\.amount)
        buy = change(\.buy)
        get = change(\.get)
        startsAt = change(\.startsAt)
        endsAt = change(\.endsAt)
        minimum = change(\.minimum)
        products = change(\.products)
        categories = change(\.categories)
        limit = change(\.limit)
        limitPerAccount = change(\.limitPerAccount)
    }

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
}
