import PouchEntities

/// The body of `refundOrder`: an amount, or units of lines, or neither for all that is left.
public struct RefundOrderRequest: Codable, Sendable, Equatable {
    public let amount: Money?
    /// Each with its share of discount and tax.
    public let lines: [LineRequest]?
    /// For the shop's own books.
    public let reason: String

    public init(amount: Money? = nil, lines: [LineRequest]? = nil, reason: String) {
        self.amount = amount
        self.lines = lines
        self.reason = reason
    }
}
