/// How and where to a cart or an order goes.
public struct Shipping: Codable, Sendable, Hashable {
    public let methodId: String
    public let address: Address
    public let price: Money

    public init(methodId: String, address: Address, price: Money) {
        self.methodId = methodId
        self.address = address
        self.price = price
    }
}
