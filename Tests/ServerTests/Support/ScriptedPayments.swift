import PouchDomain

/// A payment provider that answers what a test says.
actor ScriptedPayments: PaymentProvider {
    nonisolated let ledgerId: String
    private var charge: Result<ChargeOutcome, PaymentProviderError> = .success(.captured)
    private var settle: Result<ChargeOutcome, PaymentProviderError> = .success(.captured)
    private var refund: Result<Void, PaymentProviderError> = .success(())

    init(ledgerId: String = "scripted") {
        self.ledgerId = ledgerId
    }

    /// What is not named stays.
    func script(
        charge: Result<ChargeOutcome, PaymentProviderError>? = nil,
        settle: Result<ChargeOutcome, PaymentProviderError>? = nil,
        refund: Result<Void, PaymentProviderError>? = nil
    ) {
        self.charge = charge ?? self.charge
        self.settle = settle ?? self.settle
        self.refund = refund ?? self.refund
    }

    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome { try charge.get() }
    func settle(key: String) async throws(PaymentProviderError) -> ChargeOutcome { try settle.get() }
    func refund(chargeKey: String) async throws(PaymentProviderError) { try refund.get() }
}
