import PouchEntities

/// What is to be given back of an order's charge.
public struct RefundDraft: Sendable, Hashable {
    public enum Part: Sendable, Hashable {
        /// All that has not been given back yet.
        case rest
        case amount(Money)
        /// Units, each with its share of discount and tax.
        case lines([Refund.Line])
    }

    public var part: Part
    /// For the shop's own books.
    public var reason: String

    public init(_ part: Part, reason: String) {
        self.part = part
        self.reason = reason
    }
}
