import Foundation
import PouchJSON

/// The effect and the conditions of a discount code.
///
/// Each kind requires its own values and excludes the others: `percentage` has `basisPoints`, `amount` has `amount`,
/// and `buyXGetY` has `buy` and `get`.
public struct DiscountTerms: JSONModel, Hashable {
    public enum Kind: String, OpenEnum, CaseIterable {
        case percentage
        case amount
        /// Of each full group of `buy` and `get` units, the `get` cheapest are free.
        case buyXGetY
        case freeShipping
        case unrecognised
    }

    /// The code: `ModelLimits.discountCodeLength` characters, case-insensitive.
    public var code: String
    public var kind: Kind
    /// Hundredths of a percent, within `ModelLimits.discountBasisPoints`: 1250 is 12.5 %.
    public var basisPoints: Int?
    public var amount: Money?
    public var buy: Int?
    public var get: Int?
    public var startsAt: Date?
    /// The end, which must be after `startsAt`, and in the future when it is set.
    public var endsAt: Date?
    /// The minimum total of the eligible lines.
    public var minimum: Money?
    /// Handles of the eligible products, which the shop must have in any status; nil for all. With `categories` as
    /// well, a product is eligible by either.
    public var products: [String]?
    /// Ids of the eligible categories, which the shop must have; nil for all.
    public var categories: [String]?
    /// The maximum number of orders in total; nil for no limit.
    public var limit: Int?
    /// The maximum number of orders of one account or guest; nil for no limit.
    public var limitPerAccount: Int?

    public init(
        code: String, kind: Kind, basisPoints: Int? = nil, amount: Money? = nil, buy: Int? = nil, get: Int? = nil,
        startsAt: Date? = nil, endsAt: Date? = nil, minimum: Money? = nil, products: [String]? = nil,
        categories: [String]? = nil, limit: Int? = nil, limitPerAccount: Int? = nil
    ) {
        self.code = code
        self.kind = kind
        self.basisPoints = basisPoints
        self.amount = amount
        self.buy = buy
        self.get = get
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.minimum = minimum
        self.products = products
        self.categories = categories
        self.limit = limit
        self.limitPerAccount = limitPerAccount
    }

    public static let json = JSONObject(
        DiscountTerms.init, .field("code", \.code), .field("kind", \.kind), .field("basisPoints", \.basisPoints),
        .field("amount", \.amount), .field("buy", \.buy), .field("get", \.get), .field("startsAt", \.startsAt),
        .field("endsAt", \.endsAt), .field("minimum", \.minimum), .field("products", \.products),
        .field("categories", \.categories), .field("limit", \.limit), .field("limitPerAccount", \.limitPerAccount))
}

/// A discount code for administrators.
public struct ManagedDiscount: JSONModel, Hashable, Identifiable {
    public let id: String
    public let terms: DiscountTerms
    /// The number of orders that used the code.
    public let used: Int

    public init(id: String, terms: DiscountTerms, used: Int) {
        self.id = id
        self.terms = terms
        self.used = used
    }

    /// The JSON object contains the terms at the same level as `id` and `used`.
    public static let json = JSONObject(
        ManagedDiscount.init, .field("id", \.id), .fields(of: \.terms), .field("used", \.used))
}
