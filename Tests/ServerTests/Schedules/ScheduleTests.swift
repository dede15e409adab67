import ServerTesting
import Testing

/// The checkout services in a small model: every step of shop, provider, settlement and clock in every order, with
/// crashes before every step and lost or late messages, up to a number of faults.
@Suite("Checkouts in every order of their steps", .timeLimit(.minutes(10)), .serialized)
struct ScheduleTests {
    private static let lanes = 8

    @Test(arguments: [
        Scene("a purchase and a settlement", [.checkout, .settle], faults: 2),
        Scene("two buyers of the last unit, and the end of its hold", [.checkout, .buy(key: "b"), .hold], faults: 1),
        Scene("a request sent twice", [.buy(key: "a"), .buy(key: "a")], faults: 2),
        Scene("a request sent twice, and a settlement", [.buy(key: "a"), .buy(key: "a"), .settle], faults: 1),
        Scene("a cancellation and a settlement", [.cancel, .settle], faults: 2),
        Scene("two cancellations", [.cancel, .cancel], faults: 2),
        Scene("a refund and a settlement", [.refund, .settle], faults: 2),
        Scene("a cancellation and a refund", [.cancel, .refund], faults: 2),
    ])
    func `Every charge has an order or a refund, and orders, stock and charges agree`(scene: Scene) async throws {
        // The number of schedules, without those that differ only in the order of commuting steps.
        #expect(try await explore(scene) > 100)
    }

    @Test func `The model detects a provider that makes a charge it had declared void`() async throws {
        await #expect(throws: CheckoutModel.Violation.self) {
            try await explore(
                Scene("a purchase and a settlement", [.checkout, .settle], faults: 1), providerVoids: false)
        }
    }

    @discardableResult
    private func explore(_ scene: Scene, providerVoids: Bool = true) async throws -> Int {
        let count = Box<Int>()
        try await TestShop.open(
            CheckoutModel.products(Self.lanes), configure: { $0.settlementInterval = .seconds(3600) }
        ) { shop in
            let models = try await parallel(Self.lanes) { try await CheckoutModel(shop, number: $0) }
            await count.set(
                try await Schedule.all(lanes: Self.lanes) { lane, schedule in
                    try await models[lane].play(scene, schedule, providerVoids: providerVoids)
                })
        }
        return try #require(await count.value)
    }
}

struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let players: [Player]
    let faults: Int

    init(_ name: String, _ players: [Player], faults: Int) {
        testDescription = name
        self.players = players
        self.faults = faults
    }

    /// Whether the order exists at the start.
    var startsPaid: Bool { !players.contains(where: \.buys) }

    /// Whether a player pays for the cart.
    var checksOut: Bool { players.contains { if case .checkout = $0 { true } else { false } } }
}

/// A participant of the checkout model, each in a separate process.
enum Player: Sendable {
    /// Pays for the cart, with the code.
    case checkout
    /// Buys the unit without the cart.
    case buy(key: String)
    /// Cancels the existing order.
    case cancel
    /// Refunds more than half of the existing order.
    case refund
    /// Advances the clock by the settlement's grace period, and settles once.
    case settle
    /// Advances the clock by the duration of a hold.
    case hold

    /// The idempotency key of the request, if the player sends one.
    var key: String? {
        switch self {
        case .checkout: "checkout"
        case .buy(let key): key
        case .cancel: "cancel"
        case .refund: "refund"
        case .settle, .hold: nil
        }
    }

    var buys: Bool {
        switch self {
        case .checkout, .buy: true
        case .cancel, .refund, .settle, .hold: false
        }
    }
}

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
struct SteppedStore: StoreWrapper {
    struct Crash: Error {}

    let store: ShopDatabase
    let stage: Stage

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value {
        guard await stage.turn(.write) == .go else { throw Crash() }
        return try await store.write(isolation, body)
    }
}
