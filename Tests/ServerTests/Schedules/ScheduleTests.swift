import PouchServer
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
    func `Every charge has an order or a refund, and orders, stock and charges are consistent`(scene: Scene)
        async throws
    {
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

/// Concurrent players.
struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let players: [Player]
    /// The maximum number of faults.
    let faults: Int

    init(_ name: String, _ players: [Player], faults: Int) {
        testDescription = name
        self.players = players
        self.faults = faults
    }

    /// Whether the order exists at the start.
    var startsPaid: Bool { !players.contains(where: \.buys) }

    /// Whether a player pays for the cart.
    var checksOut: Bool {
        players.contains {
            if case .checkout = $0 { true } else { false }
        }
    }
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
