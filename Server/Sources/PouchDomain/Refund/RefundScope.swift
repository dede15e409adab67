import PouchEntities

/// What a merchant wants to give back.
public enum RefundScope: Sendable, Equatable {
    /// All that is left, with all units.
    case rest
    /// No units.
    case amount(Money)
    /// Units, with their share of discount and tax, without shipping.
    case lines([Units])

    public struct Units: Sendable, Equatable {
        public let sku: String
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }
    }
}
