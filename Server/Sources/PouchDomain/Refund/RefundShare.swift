import PouchEntities

/// What a refund comes to.
public struct RefundShare: Sendable, Equatable {
    /// What goes back, with the tax; 0 for units that were free.
    public let amount: Money
    /// The part of the amount that is tax.
    public let tax: Money
    /// For each line of the order, in its order, the units that are refunded afterwards.
    public let refundedQuantities: [Int]
}
