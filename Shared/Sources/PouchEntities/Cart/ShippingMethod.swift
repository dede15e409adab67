/// One way of delivery that the shop offers for a place.
public struct ShippingMethod: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let price: Money
    /// When it arrives, for people.
    public let estimate: String

    public init(id: String, name: String, price: Money, estimate: String) {
        self.id = id
        self.name = name
        self.price = price
        self.estimate = estimate
    }
}
