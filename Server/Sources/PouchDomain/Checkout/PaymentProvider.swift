import PouchEntities

/// A service that charges cards.
///
/// Every call has a key of this shop. Repeated with the same key, it has no further effect and reports the result of
/// the first, so that calls left open by a crash or a lost response can be checked.
public protocol PaymentProvider: Sendable {
    /// The id of the provider's ledger. Orders store it, since another ledger does not have their charges; a call with
    /// the id of another ledger fails and books nothing.
    func ledgerId() async throws(PaymentProviderError) -> String

    /// Charges the card and captures at once.
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome

    /// The outcome of a charge. A charge that the provider never saw is voided, so that it cannot happen later.
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome

    /// Refunds a part of a charge or all of it.
    func refund(_ request: RefundRequest) async throws(PaymentProviderError)
}

public struct ChargeRequest: Sendable, Equatable {
    public let key: String
    public let ledgerId: String
    public let method: PaymentMethod
    public let amount: Money

    public init(key: String, ledgerId: String, method: PaymentMethod, amount: Money) {
        self.key = key
        self.ledgerId = ledgerId
        self.method = method
        self.amount = amount
    }
}

public enum ChargeOutcome: Sendable, Equatable {
    case captured
    /// The provider's reason, as in `insufficient_funds`.
    case declined(code: String)
    /// It did not happen and cannot happen later.
    case voided
}

public struct RefundRequest: Sendable, Equatable {
    public let key: String
    /// The key of the charge.
    public let chargeKey: String
    public let ledgerId: String
    /// Together with earlier refunds, at most the charge.
    public let amount: Money

    public init(key: String, chargeKey: String, ledgerId: String, amount: Money) {
        self.key = key
        self.chargeKey = chargeKey
        self.ledgerId = ledgerId
        self.amount = amount
    }
}

public enum PaymentProviderError: Error, Equatable, CustomStringConvertible {
    /// The provider failed or refused; nothing was booked.
    case failed
    /// No response; it may or may not have happened.
    case noAnswer

    /// For logs.
    public var description: String {
        switch self {
        case .failed: "the payment provider cannot be reached or has refused"
        case .noAnswer: "the payment provider has not answered"
        }
    }
}
