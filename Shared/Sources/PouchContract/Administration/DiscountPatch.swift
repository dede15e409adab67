import Foundation
import PouchEntities
import PouchWire

/// The body of `updateDiscount`; code and kind can be set but not cleared.
///
/// With another kind the values of the old one go, unless the patch says otherwise.
public struct DiscountPatch: Codable, Sendable, Equatable {
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

    public init() {}

    /// What turns the one into the other, and nothing else.
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

    private enum CodingKeys: CodingKey {
        case code, kind, basisPoints, amount, buy, get, startsAt, endsAt, minimum, products, categories, limit
        case limitPerAccount
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decodeGiven(String.self, forKey: .code)
        kind = try container.decodeGiven(DiscountTerms.Kind.self, forKey: .kind)
        basisPoints = try container.decodeChange(Int.self, forKey: .basisPoints)
        amount = try container.decodeChange(Money.self, forKey: .amount)
        buy = try container.decodeChange(Int.self, forKey: .buy)
        get = try container.decodeChange(Int.self, forKey: .get)
        startsAt = try container.decodeChange(Date.self, forKey: .startsAt)
        endsAt = try container.decodeChange(Date.self, forKey: .endsAt)
        minimum = try container.decodeChange(Money.self, forKey: .minimum)
        products = try container.decodeChange([String].self, forKey: .products)
        categories = try container.decodeChange([String].self, forKey: .categories)
        limit = try container.decodeChange(Int.self, forKey: .limit)
        limitPerAccount = try container.decodeChange(Int.self, forKey: .limitPerAccount)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(code, forKey: .code)
        try container.encodeIfPresent(kind, forKey: .kind)
        try container.encode(basisPoints, forKey: .basisPoints)
        try container.encode(amount, forKey: .amount)
        try container.encode(buy, forKey: .buy)
        try container.encode(get, forKey: .get)
        try container.encode(startsAt, forKey: .startsAt)
        try container.encode(endsAt, forKey: .endsAt)
        try container.encode(minimum, forKey: .minimum)
        try container.encode(products, forKey: .products)
        try container.encode(categories, forKey: .categories)
        try container.encode(limit, forKey: .limit)
        try container.encode(limitPerAccount, forKey: .limitPerAccount)
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
