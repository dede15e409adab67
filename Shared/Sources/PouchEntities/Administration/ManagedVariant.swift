/// A variant as administrators see it: with its own price, whatever is scheduled, and exact stock.
public struct ManagedVariant: Codable, Sendable, Hashable {
    public let sku: String
    public let price: Money
    /// Units that can be bought: on hand less held.
    public let available: Int
    public let onHand: Int
    /// Units that orders wait for.
    public let held: Int

    public init(sku: String, price: Money, available: Int, onHand: Int, held: Int) {
        self.sku = sku
        self.price = price
        self.available = available
        self.onHand = onHand
        self.held = held
    }
}
