import PouchEntities

/// The body of `POST /v1/refunds`.
public struct RefundRequestBody: Codable, Sendable, Equatable {
    /// The key of the charge.
    public let charge: String
    /// Minor units; above 0.
    public let amount: Int64
    /// That of the charge; another one is refused.
    public let currency: Currency?

    public init(charge: String, amount: Int64, currency: Currency? = nil) {
        self.charge = charge
        self.amount = amount
        self.currency = currency
    }
}
