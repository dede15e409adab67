/// A discount code on a cart, and what it takes off.
public struct CartDiscount: Codable, Sendable, Hashable {
    public let code: String
    public let amount: Money

    public init(code: String, amount: Money) {
        self.code = code
        self.amount = amount
    }
}
