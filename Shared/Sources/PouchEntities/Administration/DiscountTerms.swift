import Foundation

/// What a discount code is good for, as an administrator sets it.
///
/// Each kind has values of its own, and only those are there: `basisPoints` with a percentage, `amount` with an amount,
/// `buy` and `get` with buyXGetY.
public struct DiscountTerms: Codable, Sendable, Hashable {
    public enum Kind: String, OpenEnum, CaseIterable {
        case percentage
        case amount
        /// Of each full group of `buy` and `get` units, the `get` cheapest are free.
        case buyXGetY
        case freeShipping
        case unrecognised
    }

    /// `ModelLimits.discountCodeLength`; the same in capitals and small letters.
    public var code: String
    public var kind: Kind
    /// Hundredths of a percent, `ModelLimits.discountBasisPoints`: 1250 are 12.5 %.
    public var basisPoints: Int?
    public var amount: Money?
    public var buy: Int?
    public var get: Int?
    public var startsAt: Date?
    public var endsAt: Date?
    /// What the goods it is good for must come to.
    public var minimum: Money?
    /// Handles; nil for all. With `categories`, either is enough.
    public var products: [String]?
    /// Ids; nil for all.
    public var categories: [String]?
    /// Orders in all; nil for any number.
    public var limit: Int?
    /// Orders of one account or guest; nil for any number.
    public var limitPerAccount: Int?

    public init(
        code: String,
        kind: Kind,
        basisPoints: Int? = nil,
        amount: Money? = nil,
        buy: Int? = nil,
        get: Int? = nil,
        startsAt: Date? = nil,
        endsAt: Date? = nil,
        minimum: Money? = nil,
        products: [String]? = nil,
        categories: [String]? = nil,
        limit: Int? = nil,
        limitPerAccount: Int? = nil
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
}
