import PouchDomain
import PouchEntities

/// The books of the payment provider, which outlive all servers. A key takes effect once.
///
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class PaymentLedger: @unchecked Sendable {
    struct Charge {
        var outcome: ChargeOutcome
        let amount: Int64
        /// By key.
        var refunds: [String: Int64] = [:]
        /// Amounts that a key paid again, which happens with a planted fault only.
        var paidAgain: Int64 = 0

        var refunded: Int64 { refunds.values.reduce(0, +) + paidAgain }
    }

    static let id = "led_simulated"
    static let declinedToken = "tok_declined"

    private(set) var charges: [String: Charge] = [:]

    func charge(_ request: ChargeRequest) -> ChargeOutcome {
        let outcome: ChargeOutcome =
            request.method.token == Self.declinedToken ? .declined(code: "card_declined") : .captured
        let charge = charges[request.key] ?? Charge(outcome: outcome, amount: request.amount.amount)
        charges[request.key] = charge
        return charge.outcome
    }

    /// Voids a charge that is unknown.
    func settle(_ key: String) -> ChargeOutcome {
        let charge = charges[key] ?? Charge(outcome: .voided, amount: 0)
        charges[key] = charge
        return charge.outcome
    }

    /// - Returns: whether the refund is made, now or by an earlier request.
    func refund(_ request: RefundRequest, paysAgain: Bool) -> Bool {
        guard var charge = charges[request.chargeKey], charge.outcome == .captured else { return false }
        if charge.refunds[request.key] != nil {
            if paysAgain { charge.paidAgain += request.amount.amount }
        } else {
            guard charge.refunded + request.amount.amount <= charge.amount else { return false }
            charge.refunds[request.key] = request.amount.amount
        }
        charges[request.chargeKey] = charge
        return true
    }
}

/// The provider as one server reaches it: over a network that loses, delays and doubles messages.
struct SimulatedPayments: PaymentProvider {
    let world: World
    let life: ServerLife
    let ledger: PaymentLedger

    func ledgerId() async throws(PaymentProviderError) -> String {
        if world.isProviderAway { throw .noAnswer }
        return PaymentLedger.id
    }

    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        try await send("charge \(request.key) of \(request.amount.amount)") { [world] ledger in
            world.count("charges")
            return ledger.charge(request)
        }
    }

    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        try await send("settle \(key)") { $0.settle(key) }
    }

    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        let isMade = try await send("refund \(request.key) of \(request.amount.amount)") { [world] ledger in
            world.count("refunds")
            return ledger.refund(request, paysAgain: world.plant == .refund && world.chance(50))
        }
        guard isMade else { throw .failed }
    }

    /// - Parameter effect: runs each time that the message arrives.
    private func send<Answer: Sendable>(
        _ name: String, _ effect: @escaping @Sendable (PaymentLedger) -> Answer
    ) async throws(PaymentProviderError) -> Answer {
        await world.pause()
        guard life.isRunning else { throw .noAnswer }
        world.tell("server \(life.number) → provider: \(name)")
        if world.happens(.crashBeforeCommit) { life.crash() }
        guard life.isRunning, !world.isProviderAway, !world.happens(.lostRequest) else { throw .noAnswer }
        func arriveLater() {
            world.later { [world, ledger] in
                let answer = effect(ledger)
                world.tell("provider, late: \(name) → \(answer)")
            }
        }
        if world.happens(.lateRequest) {
            arriveLater()
            throw .noAnswer
        }
        if world.happens(.refusal) { throw .failed }
        let answer = effect(ledger)
        world.tell("provider: \(name) → \(answer)")
        if world.happens(.doubledRequest) { arriveLater() }
        if world.happens(.crashAfterCommit) { life.crash() }
        await world.pause()
        guard life.isRunning, !world.happens(.lostAnswer) else { throw .noAnswer }
        return answer
    }
}
