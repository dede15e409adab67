import Foundation
import PouchEntities

/// A code that takes something off.
///
/// A code that holds but has nothing to take off (nothing eligible in the cart, or less than the minimum) stays on the
/// cart and takes off 0, so that it works as soon as the cart is right for it.
public struct Discount: Sendable, Equatable, Codable {
    public enum Rule: Sendable, Equatable, Codable {
        /// 1...10000: 1000 are 10 %. Of the eligible lines' sum, rounded once, halves up.
        case percentage(basisPoints: Int)
        /// Of the eligible lines' sum; no more than that.
        case amount(Money)
        /// The eligible units are sorted by price, the dearest first, and of each full group of `buy + get` the `get`
        /// cheapest are free. Both are 1 or more.
        case buyXGetY(buy: Int, get: Int)
        /// The whole price of shipping.
        case freeShipping
    }

    public let id: String
    /// In its normal form.
    public let code: String
    public let rule: Rule
    /// Holds from this moment on.
    public let startsAt: Date?
    /// Holds until right before this moment.
    public let endsAt: Date?
    /// What the eligible lines must come to, before any discount.
    public let minimum: Money?
    /// Handles of the products, and ids of the categories, that are eligible: a line that is in either. Everything is where
    /// both are nil.
    public let products: [String]?
    public let categories: [String]?
    /// How often it can be used in all.
    public let limit: Int?
    /// How often by each account.
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

    /// The form in which codes are compared: trimmed, in capitals.
    ///
    /// - Returns: nil for what cannot be a code; one has 3...40 of the characters A-Z 0-9 - _ and the full stop.
    public static func normalised(code: String) -> String? {
        let code = code.trimmingCharacters(in: .whitespaces)
        guard ModelLimits.discountCodeLength.contains(code.utf8.count),
            code.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            })
        else { return nil }
        return code.uppercased()
    }

    /// Whether the code can be used now.
    ///
    /// - Parameters:
    ///   - used: how often it has been, in all.
    ///   - usedByAccount: how often by whoever wants to use it now.
    /// - Throws: `DomainError.discountInvalid` before it begins, `.discountExpired`, `.discountExhausted`.
    public func check(at now: Date, used: Int, usedByAccount: Int) throws(DomainError) {
        if let startsAt, now < startsAt { throw .discountInvalid }
        if let endsAt, now >= endsAt { throw .discountExpired }
        if let limit, used >= limit { throw .discountExhausted }
        if let limitPerAccount, usedByAccount >= limitPerAccount { throw .discountExhausted }
    }
}
