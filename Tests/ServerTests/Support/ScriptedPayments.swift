import PouchDomain

/// A payment provider that answers what a test says.
actor ScriptedPayments: PaymentProvider {
    private let ledger: String
    private var charge: Result<ChargeOutcome, PaymentProviderError> = .success(.captured)
    private var settle: Result<ChargeOutcome, PaymentProviderError> = .success(.captured)
    private var refund: Result<Void, PaymentProviderError> = .success(())
    private var isAway = false

    init(ledgerId: String = "scripted") {
        ledger = ledgerId
    }

    /// What is not named stays.
    func script(
        charge: Result<ChargeOutcome, PaymentProviderError>? = nil,
        settle: Result<ChargeOutcome, PaymentProviderError>? = nil,
        refund: Result<Void, PaymentProviderError>? = nil,
        isAway: Bool? = nil
    ) {
        self.charge = charge ?? self.charge
        self.settle = settle ?? self.settle
        self.refund = refund ?? self.refund
        self.isAway = isAway ?? self.isAway
    }

    func ledgerId() throws(PaymentProviderError) -> String {
        guard !isAway else { throw .noAnswer }
        return ledger
    }
    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome { try charge.get() }
    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        guard ledgerId == ledger else { throw .failed }
        return try settle.get()
    }
    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        guard request.ledgerId == ledger else { throw .failed }
        try refund.get()
    }
}
