import Foundation

/// What somebody intends to buy. Each principal has one.
public struct Cart: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    /// Counts writes and applied changes; the cart's ETag.
    public let version: Int
    /// In the order in which they were added.
    public let lines: [CartLine]
    public let discount: CartDiscount?
    public let shipping: Shipping?
    public let totals: Totals
    /// What changed by itself since the owner's last write; reading does not clear it.
    public let changes: [CartChange]
    public let updatedAt: Date

    public init(
        id: String,
        version: Int,
        lines: [CartLine],
        discount: CartDiscount? = nil,
        shipping: Shipping? = nil,
        totals: Totals,
        changes: [CartChange],
        updatedAt: Date
    ) {
        self.id = id
        self.version = version
        self.lines = lines
        self.discount = discount
        self.shipping = shipping
        self.totals = totals
        self.changes = changes
        self.updatedAt = updatedAt
    }

    /// Units of all lines, at most `Int.max`: a cart that was received may claim any figures.
    public var unitCount: Int {
        lines.reduce(0) { sum, line in
            let (next, overflows) = sum.addingReportingOverflow(max(0, line.quantity))
            return overflows ? .max : next
        }
    }
}
