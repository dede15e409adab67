import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchPersistence
import PouchWire
import Synchronization
import Testing

/// What becomes of edits when the server is back.
@Suite(.timeLimit(.minutes(1)))
struct CartReplayTests {
    private let shop = StubShop()
    private let ada = Shopper.ada.owner
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `what was done offline is sent once and in its order when the server answers again`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: await MemoryStore.holding(["a", "b", "c"].map { Fixture.product(sku: $0) }),
            clock: clock
        )
        try await managers.cart.refresh()
        shop.line = .down
        for sku in ["a", "b", "c"] { try await managers.cart.add(sku: sku, quantity: 2) }
        try await managers.cart.set(sku: "b", quantity: 5)
        try await managers.cart.remove(sku: "c")
        shop.line = .up
        await clock.tick()
        let state = await managers.cart.state { $0.isConfirmed }
        #expect(state?.cart.quantities == ["a 2", "b 5"])
        #expect(shop.effects == ["add a 2", "add b 2", "add c 2", "set b 5", "remove c"])
        #expect(shop.mostUnderWay == 1)
        #expect(managers.connection.connection == .online)
    }

    @Test func `an answer that is lost again and again leaves one effect`() async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: await MemoryStore.holding([Fixture.product(sku: "a")]), clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a", quantity: 2)
        for _ in 0..<3 { await #expect(throws: DataError.self) { try await managers.cart.sendPending() } }
        #expect(managers.cart.state?.pendingCount == 1)
        shop.line = .up
        try await managers.cart.sendPending()
        #expect(managers.cart.state?.isConfirmed == true)
        #expect(managers.cart.cart?.quantities == ["a 2"])
        #expect(shop.effects == ["add a 2"])
    }

    @Test func `a process that ends between effect and answer doubles nothing, and loses nothing`() async throws {
        let file = folder.file("store.sqlite")
        do {
            let store = try await SQLiteStore.open(at: file)
            try await store.merge([Fixture.product(sku: "b")])
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
            try await managers.cart.add(sku: "a")
            shop.line = .losesAnswers
            try await managers.cart.add(sku: "a")
            shop.line = .down
            try await managers.cart.add(sku: "b", quantity: 3)
            try await store.close()
        }
        #expect(shop.effects == ["add a 1", "add a 1"])
        let store = try await SQLiteStore.open(at: file)
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: ManualClock())
        let restored = try #require(try await managers.cart.restore())
        #expect(restored.cart.quantities == ["a 2", "b 3"])
        #expect(restored.pendingCount == 2)
        shop.line = .up
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 1", "add a 1", "add b 3"])
        #expect(managers.cart.cart?.quantities == ["a 2", "b 3"])
        #expect(managers.cart.state?.isConfirmed == true)
        #expect(try await store.pendingWrites(of: ada).isEmpty)
        try await store.close()
    }

    @Test func `a refusal of one edit is told, and the others go on`() async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: await MemoryStore.holding(["a", "b"].map { Fixture.product(sku: $0) }),
            clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .down
        try await managers.cart.add(sku: "a", quantity: 5)
        try await managers.cart.add(sku: "b")
        shop.setStock("a", 2)
        shop.line = .up
        try await managers.cart.sendPending()
        #expect(managers.cart.cart?.quantities == ["b 1"])
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 5))
        #expect(refusal?.reason == .outOfStock([StockShortfall(sku: "a", available: 2)]))
    }

    @Test func `what the server changed meanwhile is told as typed changes`() async throws {
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: await MemoryStore.holding([Fixture.product(sku: "d")]), clock: ManualClock())
        for sku in ["a", "b", "c"] { try await managers.cart.add(sku: sku, quantity: 3) }
        shop.line = .down
        try await managers.cart.set(sku: "a", quantity: 4)
        try await managers.cart.add(sku: "d")
        shop.setPrice("b", 1200)
        shop.setPrice("d", 900)
        shop.put([.init(sku: "a", quantity: 3), .init(sku: "b", quantity: 1)], into: ada)
        shop.line = .up
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

    @Test func `a server that has too much to do is tried again after a while, without calling it away`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: await MemoryStore.holding([Fixture.product(sku: "a")]), clock: clock)
        try await managers.cart.refresh()
        shop.line = .busy
        try await managers.cart.add(sku: "a")
        #expect(managers.connection.connection == .online)
        #expect(managers.cart.state?.pendingCount == 1)
        await clock.tick()
        await clock.sleepers()
        shop.line = .up
        await clock.tick()
        #expect(await managers.cart.state { $0.isConfirmed } != nil)
        #expect(clock.slept == [.seconds(2), .seconds(4)])
        #expect(shop.effects == ["add a 1"])
    }

    @Test func `an addition whose key the server may have forgotten is never sent again, and that is told`()
        async throws
    {
        let today = Mutex(Fixture.now)
        let managers = try ManagersUnderTest(
            over: shop, as: .ada,
            local: await MemoryStore.holding([Fixture.product(sku: "a"), Fixture.product(sku: "b")]),
            clock: ManualClock(), now: { today.withLock { $0 } })
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a")
        // Never sent, since it is known that nobody answers: this one has no age.
        try await managers.cart.add(sku: "b")
        today.withLock { $0 += 23 * 3600 }
        shop.line = .up
        let sent = shop.requests.count
        try await managers.cart.sendPending()
        #expect(shop.effects == ["add a 1", "add b 1"])
        #expect(shop.requests.dropFirst(sent).filter { $0.method == "POST" }.count == 1)
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 1))
        #expect(refusal?.reason == .outcomeUnknown)
    }

    @Test func `an edit that is told as refused is not done by a later process`() async throws {
        let store = await MemoryStore.holding([Fixture.product(sku: "a")])
        let isForbidden = Mutex(false)
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            if request.method == "POST", isForbidden.withLock({ $0 }) { return .problem(.forbidden) }
            return try await shop.response(to: request)
        }
        let managers = try ManagersUnderTest(over: transport, as: .ada, local: store, clock: ManualClock())
        try await managers.cart.refresh()
        shop.line = .losesAnswers
        try await managers.cart.add(sku: "a")
        shop.line = .up
        isForbidden.withLock { $0 = true }
        _ = try? await managers.cart.sendPending()
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.reason == .forbidden)
        #expect(await store.pendingWrites(of: ada).isEmpty)
    }

    @Test func `a server that asks for years of patience is asked again after five minutes`() async throws {
        let clock = ManualClock()
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            guard request.method == "POST" else { return try await shop.response(to: request) }
            let busy = NetworkResponse.problem(.overloaded)
            var headers = busy.headers
            headers["Retry-After"] = "1000000000"
            return NetworkResponse(status: busy.status, headers: headers, data: busy.data)
        }
        let managers = try ManagersUnderTest(
            over: transport, as: .ada, local: await MemoryStore.holding([Fixture.product(sku: "a")]), clock: clock)
        try await managers.cart.refresh()
        try await managers.cart.add(sku: "a")
        await clock.sleepers()
        #expect(clock.slept == [.seconds(300)])
    }

    @Test func `an edit whose key has run out is told by a later process, whatever was written in between`()
        async throws
    {
        let today = Mutex(Fixture.now)
        let store = await MemoryStore.holding([Fixture.product(sku: "a")])
        do {
            let managers = try ManagersUnderTest(
                over: shop, as: .ada, local: store, clock: ManualClock(), now: { today.withLock { $0 } })
            try await managers.cart.refresh()
            shop.line = .losesAnswers
            try await managers.cart.add(sku: "a")
        }
        today.withLock { $0 += 24 * 3600 }
        shop.line = .up
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: store, clock: ManualClock(), now: { today.withLock { $0 } })
        _ = try? await managers.orders.cancel(id: "ord_1")
        try await managers.cart.refresh()
        let refusal = await managers.cart.nextRefusal()
        #expect(refusal?.edit == .add(sku: "a", quantity: 1))
        #expect(refusal?.reason == .outcomeUnknown)
        #expect(shop.effects == ["add a 1"])
    }

    @Test func `a server that answers to all but this is asked after longer and longer waits`() async throws {
        let clock = ManualClock()
        let shop = shop
        let transport = StubTransport { request throws(NetworkError) in
            // What stands between has lost the way to one part of the shop.
            if request.method == "POST" { return .text("<html>", status: 502) }
            return try await shop.response(to: request)
        }
        let managers = try ManagersUnderTest(
            over: transport, as: .ada, local: await MemoryStore.holding([Fixture.product(sku: "a")]), clock: clock)
        try await managers.cart.refresh()
        try await managers.cart.add(sku: "a")
        for _ in 0..<5 { await clock.tick() }
        await clock.sleepers()
        // Each second is a question whether the server is there.
        #expect(clock.slept == [1, 1, 4, 1, 8, 1].map { .seconds($0) })
    }
}
