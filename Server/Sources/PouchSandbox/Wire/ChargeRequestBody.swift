import PouchEntities

/// The body of `POST /v1/charges`.
public struct ChargeRequestBody: Codable, Sendable, Equatable {
    /// Minor units of the currency; above 0.
    public let amount: Int64
    public let currency: Currency
    /// Stands for the card.
    public let token: String
    /// Whether the amount is captured at once; nil means yes.
    public let capture: Bool?

    public init(amount: Int64, currency: Currency, token: String, capture: Bool? = nil) {
        self.amount = amount
        self.currency = currency
        self.token = token
        self.capture = capture
    }

    var isCaptured: Bool { capture ?? true }

    /// Two requests are the same exactly if these are.
    var fingerprint: String { "\(amount) \(currency.code) \(isCaptured ? "captured" : "authorized") \(token)" }
}
