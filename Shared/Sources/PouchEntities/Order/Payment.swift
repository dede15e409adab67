/// The charge for an order.
public struct Payment: Codable, Sendable, Hashable, Identifiable {
    public enum Status: String, OpenEnum {
        case pending
        case captured
        case failed
        case partiallyRefunded
        case refunded
        case unrecognised
    }

    public let id: String
    public let status: Status
    public let amount: Money
    public let refunded: Money

    public init(id: String, status: Status, amount: Money, refunded: Money) {
        self.id = id
        self.status = status
        self.amount = amount
        self.refunded = refunded
    }
}
