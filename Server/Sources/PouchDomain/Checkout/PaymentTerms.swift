import PouchEntities

/// How an order is to be paid.
public struct PaymentTerms: Sendable {
    public let method: PaymentMethod
    public let expectedTotal: Money
    public let email: String?

    public init(method: PaymentMethod, expectedTotal: Money, email: String?) {
        self.method = method
        self.expectedTotal = expectedTotal
        self.email = email
    }
}
