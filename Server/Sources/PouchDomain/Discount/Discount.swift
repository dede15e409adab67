import Foundation
import PouchEntities

/// A code that takes something off an order.
public struct Discount: Sendable, Equatable, Codable {
    public enum Rule: Sendable, Equatable, Codable {
        /// `ModelLimits.discountBasisPoints`
        case percentage(basisPoints: Int)
        case amount(Money)
        case buyXGetY(buy: Int, get: Int)
        case freeShipping
    }

    public let id: String
    /// In capitals.
    public let code: String
    public let rule: Rule
    public let startsAt: Date?
    public let endsAt: Date?
    public let minimum: Money?
    /// Handles; nil for all.
    public let products: [String]?
    /// Ids; nil for all.
    public let categories: [String]?
    public let limit: Int?
    public let limitPerAccount: Int?

    public init(
        id: String,
        code: String,
        rule: Rule,
        startsAt: Date? = nil,
        endsAt: Date? = nil,
        minimum: Money? = nil,
        products: [String]? = nil,
        categories: [String]? = nil,
        limit: Int? = nil,
        limitPerAccount: Int? = nil
    ) {
        self.id = id
        self.code = code
        self.rule = rule
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.minimum = minimum
        self.products = products
        self.categories = categories
        self.limit = limit
        self.limitPerAccount = limitPerAccount
    }
}
