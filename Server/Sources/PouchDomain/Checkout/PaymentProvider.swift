import PouchEntities

/// A service that charges cards.
///
/// Every call has a key of this shop. Repeated with the same key, it has no further effect and reports the result of
/// the first call, so that calls left open by a crash or a lost response can be checked.
public protocol PaymentProvider: Sendable {
    /// The id of the provider's ledger. Orders store it, since other ledgers lack their charges; a call with the id of
    /// another ledger fails and books nothing.
    func ledgerId() async throws(PaymentProviderError) -> String

    /// Charges the card and captures immediately.
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome

    /// The outcome of a charge. A charge that the provider never received is voided, so that it cannot happen later.
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome

    /// Refunds all or a part of a charge.
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
    /// The provider's reason, such as `insufficient_funds`.
    case declined(code: String)
    /// The charge did not happen and cannot happen later.
    case voided
}

public struct RefundRequest: Sendable, Equatable {
    public let key: String
    /// The key of the charge.
    public let chargeKey: String
    public let ledgerId: String
    /// The amount, which together with earlier refunds must not exceed the charge.
    public let amount: Money

    public init(key: String, chargeKey: String, ledgerId: String, amount: Money) {
        self.key = key
        self.chargeKey = chargeKey
        self.ledgerId = ledgerId
        self.amount = amount
    }
}

public enum PaymentProviderError: String, Error, Equatable, CustomStringConvertible {
    /// The provider failed or refused; nothing was booked.
    case failed
    /// No response; the call may or may not have taken effect.
    case noAnswer

    /// For logs.
    public var description: String {
        switch self {
        case .failed: "the payment provider is unreachable or has refused"
        case .noAnswer: "the payment provider did not answer"
        }
    }
}
