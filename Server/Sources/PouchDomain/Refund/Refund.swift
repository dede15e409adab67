import PouchEntities

/// Money that goes back for an order.
public struct Refund: Sendable, Equatable {
    /// What a merchant may want to give back.
    public enum Scope: Sendable, Equatable {
        /// All that is left, with all units.
        case rest
        /// No units.
        case amount(Money)
        /// Units, with their share of discount and tax, without shipping.
        case lines([Units])
    }

    public struct Units: Sendable, Equatable {
        public let sku: String
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }
    }

    /// What goes back, with the tax; 0 for units that were free.
    public let amount: Money
    /// The part of the amount that is tax.
    public let tax: Money
    /// For each line of the order, in its order, the units that are refunded afterwards.
    public let refundedQuantities: [Int]
}
