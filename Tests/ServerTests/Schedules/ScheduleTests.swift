import PouchServer
import Testing

/// The services of the checkout in a small model: every step of shop, provider, settlement and clock in every order, with
/// crashes before every step and messages that are lost or late, up to a number of faults.
@Suite("Checkouts in every order of their steps", .timeLimit(.minutes(5)), .serialized)
struct ScheduleTests {
    private static let lanes = 8

    @Test(arguments: [
        Scene("a purchase and a settlement", [.checkout, .settle], faults: 2),
        Scene("two buyers of the last unit, which is held for so long", [.checkout, .buy(key: "b"), .hold], faults: 1),
        Scene("a request that is sent twice", [.buy(key: "a"), .buy(key: "a")], faults: 2),
        Scene(
            "a request that is sent twice, and a settlement",
            [.buy(key: "a"), .buy(key: "a"), .settle], faults: 1),
        Scene("a cancellation and a settlement", [.cancel, .settle], faults: 2),
        Scene("two cancellations", [.cancel, .cancel], faults: 2),
        Scene("a refund and a settlement", [.refund, .settle], faults: 2),
        Scene("a cancellation and a refund", [.cancel, .refund], faults: 2),
    ])
    func `Whoever paid has an order or a refund, and the books are right`(scene: Scene) async throws {
        // As many as there are, but for those that differ only in the order of what commutes.
        #expect(try await explore(scene) > 100)
    }

    @Test func `A provider that carries out what it had declared void is found out`() async throws {
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
