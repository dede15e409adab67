import PouchDomain
import PouchEntities
import PouchStorage

/// A payment provider in memory that loses requests and responses.
actor ModelPayments: PaymentProvider {
    struct Charge: Equatable {
        var outcome: ChargeOutcome
        let amount: Int64
        var refunds: [String: Int64] = [:]

        var refunded: Int64 { refunds.values.reduce(0, +) }
    }

    private(set) var charges: [String: Charge] = [:]
    private let ledger: String
    private let stage: Stage
    /// Whether asking for an unknown charge voids it, so that it cannot be made later.
    private let voids: Bool

    init(ledger: String, stage: Stage, voids: Bool) {
        self.ledger = ledger
        self.stage = stage
        self.voids = voids
    }

    func ledgerId() -> String { ledger }

    func charge(_ request: ChargeRequest) async throws(PaymentProviderError) -> ChargeOutcome {
        let move = await stage.turn(.charge)
        return try await arrive(move) {
            $0.book(request, move == .declined ? .declined(code: "card_declined") : .captured)
        }
    }

    func settle(key: String, ledgerId: String) async throws(PaymentProviderError) -> ChargeOutcome {
        guard ledgerId == ledger else { throw .failed }
        return try await arrive(await stage.turn(.ask)) {
            if !$0.voids, $0.charges[key] == nil { return .voided }
            $0.charges[key] = $0.charges[key] ?? Charge(outcome: .voided, amount: 0)
            return $0.charges[key]?.outcome ?? .voided
        }
    }

    func refund(_ request: RefundRequest) async throws(PaymentProviderError) {
        guard request.ledgerId == ledger else { throw .failed }
        let isMade = try await arrive(await stage.turn(.refund)) { provider in
            guard var charge = provider.charges[request.chargeKey], charge.outcome == .captured else { return false }
            guard charge.refunds[request.key] == nil else { return true }
            guard charge.refunded + request.amount.amount <= charge.amount else { return false }
            charge.refunds[request.key] = request.amount.amount
            provider.charges[request.chargeKey] = charge
            return true
        }
        guard isMade else { throw .failed }
    }

    private func book(_ request: ChargeRequest, _ outcome: ChargeOutcome) -> ChargeOutcome {
        let charge = charges[request.key] ?? Charge(outcome: outcome, amount: request.amount.amount)
        charges[request.key] = charge
        return charge.outcome
    }

    private func arrive<Answer: Sendable>(
        _ move: Step.Move, _ effect: @escaping @Sendable (isolated ModelPayments) -> Answer
    ) async throws(PaymentProviderError) -> Answer {
        switch move {
        case .go, .declined: return effect(self)
        case .failed: throw .failed
        case .lostAnswer: _ = effect(self)
        case .late:
            await stage.enter { [stage] in
                if await stage.turn(.arrival) == .go { _ = await effect(self) }
            }
        case .crash, .lostRequest: break
        }
        throw .noAnswer
    }
}

/// A store in which players take turns. Reads belong to the step before them.
struct SteppedStore: Store {
    typealias Transaction = ShopDatabase.Transaction

    struct Crash: Error {}

    let store: ShopDatabase
    let stage: Stage

    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        guard await stage.turn(.write) == .go else { throw Crash() }
        return try await store.write(isolation, body)
    }
}
