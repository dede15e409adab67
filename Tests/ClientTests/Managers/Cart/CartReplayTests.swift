import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchPersistence
import PouchTesting
import Synchronization
import Testing

/// Edits when the server is back.
@Suite(.timeLimit(.minutes(5)))
struct CartReplayTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let ada = Shopper.ada.owner
    private let clock = ManualClock()
    private let folder: TemporaryFolder
    private let store: MemoryStore

    init() async throws {
        folder = try TemporaryFolder()
        store = await MemoryStore.holding("a", "b", "c", "d")
    }

    @Test func `offline edits are sent once and in their order when the server is back`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, local: store, clock: clock)
        shop.connection = .down
        for sku in ["a", "b", "c"] { try await managers.cart.add(sku: sku, quantity: 2) }
        try await managers.cart.set(sku: "b", quantity: 5)
        try await managers.cart.remove(sku: "c")
        shop.connection = .up
        clock.run()
        #expect(await managers.cart.state { $0.isConfirmed }?.cart.quantities == ["a 2", "b 5"])
        #expect(shop.effects == ["add a 2", "add b 2", "add c 2", "set b 5", "remove c"])
        #expect(shop.peakConcurrency == 1)
        #expect(managers.connection.connection == .online)
    }

    @Test func `an edit whose answer is lost again and again has one effect`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, local: store)
        shop.connection = .losesAnswers
        try await managers.cart.add(sku: "a", quantity: 2)
        for _ in 0..<3 { await #expect(throws: DataError.self) { try await managers.cart.sendPending() } }
        #expect(managers.cart.state?.pendingCount == 1)
        shop.connection = .up
        try await managers.cart.sendPending()
        #expect(managers.cart.state?.isConfirmed == true && managers.cart.state?.cart.quantities == ["a 2"])
        #expect(shop.effects == ["add a 2"])
    }

    @Test func `a process that ends between effect and answer doubles and loses no edit`() async throws {
        let file = folder.file("store.sqlite")
        do {
            let store = try await SQLiteStore.open(at: file)
            try await store.merge([Fixture.product(sku: "b")])
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
            try await managers.cart.add(sku: "a")
            shop.connection = .losesAnswers
            try await managers.cart.add(sku: "a")
            shop.connection = .down
            try await managers.cart.add(sku: "b", quantity: 3)
            try await store.close()
        }
        #expect(shop.effects == ["add a 1", "add a 1"])
        let store = try await SQLiteStore.open(at: file)
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        let restored = try #require(try await managers.cart.restore())
        #expect(restored.cart.quantities == ["a 2", "b 3"] && restored.pendingCount == 2)
        shop.connection = .up
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 1", "add a 1", "add b 3"])
        #expect(managers.cart.state?.cart.quantities == ["a 2", "b 3"])
        #expect(managers.cart.state?.isConfirmed == true)
        #expect(try await store.pendingWrites(of: ada).isEmpty)
        try await store.close()
    }

    @Test func `a refused edit is published, and the others are sent`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, local: store)
        shop.connection = .down
        try await managers.cart.add(sku: "a", quantity: 5)
        try await managers.cart.add(sku: "b")
        shop.setStock("a", 2)
        shop.connection = .up
        try await managers.cart.sendPending()
        #expect(managers.cart.state?.cart.quantities == ["b 1"])
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 5))
        #expect(refusal?.reason == .outOfStock([StockShortfall(sku: "a", available: 2)]))
    }

    @Test func `changes at the server are published as typed changes`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        for sku in ["a", "b", "c"] { try await managers.cart.add(sku: sku, quantity: 3) }
        shop.connection = .down
        try await managers.cart.set(sku: "a", quantity: 4)
        try await managers.cart.add(sku: "d")
        shop.setPrice("b", 1200)
        shop.setPrice("d", 900)
        shop.change { $0.carts[ada] = [.init(sku: "a", quantity: 3), .init(sku: "b", quantity: 1)] }
        shop.connection = .up
        try await managers.cart.sendPending()
        var updates = managers.cart.updates().makeAsyncIterator()
        #expect(
            await updates.next()
                == .changed([
                    .priceChanged(sku: "b", from: Fixture.euros(1000), to: Fixture.euros(1200)),
                    .quantity(sku: "b", .quantityReduced, from: 3, to: 1),
                    .quantity(sku: "c", .removed, from: 3, to: 0),
                    .priceChanged(sku: "d", from: Fixture.euros(1000), to: Fixture.euros(900)),
                ]))
    }

    @Test func `a busy server is asked again after a pause, and counts as online`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, local: store, clock: clock)
        shop.connection = .busy
        try await managers.cart.add(sku: "a")
        #expect(managers.connection.connection == .online)
        #expect(managers.cart.state?.pendingCount == 1)
        await clock.tick()
        await clock.sleepers()
        shop.connection = .up
        await clock.tick()
        #expect(await managers.cart.state { $0.isConfirmed } != nil)
        #expect(clock.slept == [.seconds(2), .seconds(4)])
        #expect(shop.effects == ["add a 1"])
    }

    @Test func `an addition whose key may have expired is refused, and never sent again`() async throws {
        let today = Mutex(Date.sample)
        let managers = try await ManagersUnderTest.opened(over: shop, local: store, now: { today.withLock { $0 } })
        shop.connection = .losesAnswers
        try await managers.cart.add(sku: "a")
        // Never sent, because the server is known to be offline: this edit does not expire.
        try await managers.cart.add(sku: "b")
        today.withLock { $0 += 23 * 3600 }
        shop.connection = .up
        let sent = shop.requests.count
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 1", "add b 1"])
        #expect(shop.requests.dropFirst(sent).filter { $0.method == "POST" }.count == 1)
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 1) && refusal?.reason == .outcomeUnknown)
    }

    @Test func `a refused edit is not sent by a later process`() async throws {
        let managers = try await ManagersUnderTest.opened(over: shop, local: store)
        shop.connection = .losesAnswers
        try await managers.cart.add(sku: "a")
        shop.connection = .up
        shop.answer(Contract.addCartLine) { _ in .problem(.forbidden) }
        _ = try? await managers.cart.sendPending()
        #expect(await managers.cart.nextRefusal()?.reason == .forbidden)
        #expect(await store.pendingWrites(of: ada).isEmpty)
    }

    @Test func `an edit with an expired key is refused by a later process, despite writes in between`() async throws {
        let today = Mutex(Date.sample)
        do {
            let managers = try await ManagersUnderTest.opened(over: shop, local: store, now: { today.withLock { $0 } })
            shop.connection = .losesAnswers
            try await managers.cart.add(sku: "a")
        }
        today.withLock { $0 += 24 * 3600 }
        shop.connection = .up
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: store, clock: ManualClock(), now: { today.withLock { $0 } })
        _ = try? await managers.orders.cancel(id: "ord_1")
        try await managers.cart.refresh()
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 1) && refusal?.reason == .outcomeUnknown)
        #expect(shop.effects == ["add a 1"])
    }

    @Test func `a server that fails only these edits is asked after growing pauses`() async throws {
        // A proxy fails for one part of the shop.
        shop.answer(Contract.addCartLine) { _ in .text("<html>", status: 502) }
        let managers = try await ManagersUnderTest.opened(over: shop, local: store, clock: clock)
        try await managers.cart.add(sku: "a")
        for _ in 0..<5 { await clock.tick() }
        await clock.sleepers()
        // Each pause of a second precedes a health request.
        #expect(clock.slept == [1, 1, 4, 1, 8, 1].map { .seconds($0) })
    }
}
