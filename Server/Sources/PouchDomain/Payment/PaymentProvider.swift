import PouchEntities

/// Somebody who can charge cards.
///
/// Every call carries a key of ours; sent again with the same key it has no further effect and tells what became of
/// the first. So what a crash or a lost answer left open can be asked.
public protocol PaymentProvider: Sendable {
    /// Which ledger the charges are in; orders record it, since another ledger knows nothing of them.
    var ledgerId: String { get }

    /// Charges the card and captures at once.
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome

    /// What became of a charge. One that the provider never saw is voided, so that it cannot happen later.
    func settle(key: String) async throws(PaymentProviderError) -> ChargeOutcome

    /// Gives the whole charge back.
    func refund(chargeKey: String) async throws(PaymentProviderError)
}

public struct ChargeRequest: Sendable, Equatable {
    public let key: String
    public let method: PaymentMethod
    public let amount: Money

    public init(key: String, method: PaymentMethod, amount: Money) {
        self.key = key
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

public enum PaymentProviderError: Error, Equatable {
    /// The provider could not do it; nothing was charged.
    case failed
    /// No answer came; it may have happened or not.
    case noAnswer
}
