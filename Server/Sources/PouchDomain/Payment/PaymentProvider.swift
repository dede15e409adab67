import PouchEntities

/// Somebody who can charge cards.
///
/// Every call carries a key of ours; sent again with the same key it has no further effect and tells what became of
/// the first. So what a crash or a lost answer left open can be asked.
public protocol PaymentProvider: Sendable {
    /// Which ledger the provider books in. Orders record it, since another ledger knows nothing of their charges; a call
    /// that names another one fails and books nothing.
    func ledgerId() async throws(PaymentProviderError) -> String

    /// Charges the card and captures at once.
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome

    /// What became of a charge. One that the provider never saw is voided, so that it cannot happen later.
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome

    /// Gives back a part of a charge, or all of it.
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
    /// It did not happen and never will.
    case voided
}

public struct RefundRequest: Sendable, Equatable {
    public let key: String
    /// The key of the charge.
    public let chargeKey: String
    public let ledgerId: String
    /// Together with the refunds before, no more than was charged.
    public let amount: Money

    public init(key: String, chargeKey: String, ledgerId: String, amount: Money) {
        self.key = key
        self.chargeKey = chargeKey
        self.ledgerId = ledgerId
        self.amount = amount
    }
}

public enum PaymentProviderError: Error, Equatable {
    /// The provider could not do it, or refused; nothing was booked.
    case failed
    /// No answer came; it may have happened or not.
    case noAnswer
}
