import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CartManagerTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let clock = ManualClock()

    @Test func `subscribers get the current cart, then each change, and nil when the owner signs out`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada)
        var carts = managers.cart.states().makeAsyncIterator()
        #expect(await carts.next() == .some(nil))
        try await managers.cart.add(sku: "a")
        #expect(await carts.next()??.cart.totals.total == Fixture.euros(1000))
        shop.setPrice("a", 1500)
        try await managers.cart.refresh()
        #expect(await carts.next()??.cart.totals.total == Fixture.euros(1500))
        var late = managers.cart.states().makeAsyncIterator()
        #expect(await late.next()??.cart.totals.total == Fixture.euros(1500))
        try await managers.account.signOut()
        #expect(await carts.next() == .some(nil))
    }

    @Test func `the first edit without a session starts a guest session`() async throws {
        let managers = try ManagersUnderTest(over: shop)
        try await managers.cart.add(sku: "a", quantity: 2)
        #expect(shop.requests.map(\.url.lastPathComponent) == ["guest", "lines"])
        #expect(shop.requests.last?.headers["Authorization"] == "Bearer " + Shopper.guest.owner)
        #expect(managers.account.session?.kind == .guest)
    }

    @Test func `a cart that arrives after signing out is ignored`() async throws {
        let slow = Gate()
        let transport = StubTransport { request in
            guard request.method == "GET" else { return NetworkResponse(status: 204) }
            await slow.pass()
            return .json(Fixture.cart())
        }
        let managers = try ManagersUnderTest(over: transport, as: .ada)
        async let cart = managers.cart.refresh()
        await slow.held(1)
        try await managers.account.signOut()
        slow.open()
        _ = try await cart
        #expect(managers.cart.state == nil)
    }

    @Test func `simultaneous edits reach the server one at a time, none lost, none doubled`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await managers.cart.add(sku: "s\(number % 5)") }
                group.addTask { _ = managers.cart.state }
            }
            try await group.waitForAll()
        }
        #expect(shop.effects.count == 100)
        #expect(shop.peakConcurrency == 1)
        #expect(managers.cart.state?.cart.unitCount == 100)
    }

    @Test func `an edit that is cancelled before its turn is not executed`() async throws {
        let gate = shop.hold(Contract.addCartLine)
        let managers = try await ManagersUnderTest.opened(over: shop, local: MemoryStore())
        async let first = managers.cart.add(sku: "a")
        await gate.held(1)
        let executor = SteppedExecutor()
        let second = Task(executorPreference: executor) { try await managers.cart.add(sku: "b") }
        await executor.settle()
        second.cancel()
        #expect(await thrownReason { try await second.value } == .cancelled)
        gate.open()
        _ = try await first
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1"])
    }

    @Test(arguments: [nil, Shopper.ada])
    func `without a store, an edit that cannot reach the shop fails and is not kept`(_ shopper: Shopper?) async throws {
        let session = MemorySessionStore(shopper.map { Fixture.data($0.session) })
        let managers = try ManagersUnderTest(over: shop, store: session)
        for units in 1...2 {
            shop.connection = .down
            for _ in 0..<2 { #expect(await thrownReason { try await managers.cart.add(sku: "a") } == .unreachable) }
            shop.connection = .up
            #expect(try await managers.cart.add(sku: "a").quantities == ["a \(units)"])
        }
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1", "add a 1"])
        #expect(managers.cart.state?.isConfirmed == true)
    }

    @Test func `an unreferenced manager is deallocated, even with pending edits`() async throws {
        let store = await MemoryStore.holding("a")
        weak var cart: CartManager?
        do {
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: clock)
            cart = managers.cart
            try await managers.cart.refresh()
            shop.connection = .down
            try await managers.cart.add(sku: "a")
            #expect(cart != nil)
        }
        try await eventually { cart == nil }
    }

    // MARK: A cart on screen

    /// A defect of the original system: a failed refresh counted as one, and delayed the next.
    @Test func `a cart on screen is refreshed at intervals, also after a failed refresh`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: clock)
        try await managers.cart.add(sku: "a")
        let shown = Task { await managers.cart.keepFresh(every: .seconds(7)) }
        await clock.tick()
        shop.connection = .down
        await clock.tick()
        shop.connection = .up
        shop.setPrice("a", 1500)
        await clock.tick()
        #expect(await managers.cart.state { $0.cart.totals.total == Fixture.euros(1500) } != nil)
        var updates = managers.cart.updates().makeAsyncIterator()
        let dearer = CartChange.priceChanged(sku: "a", from: Fixture.euros(1000), to: Fixture.euros(1500))
        #expect(await updates.next() == .changed([dearer]))
        shown.cancel()
        await shown.value
        #expect(Set(clock.slept) == [.seconds(7)])
    }

    @Test func `a cart on screen is refreshed every minute by itself`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: clock)
        let shown = Task { await managers.cart.keepFresh() }
        #expect(await clock.sleepers() == .seconds(60))
        shown.cancel()
        await shown.value
    }

    @Test func `a cart that cannot be refreshed has its age and the failure, also in a later process`() async throws {
        let store = MemoryStore()
        let managers = try await ManagersUnderTest.opened(over: shop, local: store, clock: clock, now: { clock.date })
        #expect(managers.cart.state?.cart.asOf == Date.sample)
        clock.pass(.seconds(60))
        shop.connection = .down
        await #expect(throws: DataError.self) { try await managers.cart.refresh() }
        #expect(managers.cart.state?.cart.asOf == Date.sample)
        #expect(managers.cart.state?.cart.failure?.reason == .unreachable)
        let later = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: clock, now: { clock.date })
        #expect(try await later.cart.restore()?.cart.asOf == Date.sample)
        shop.connection = .up
        try await later.cart.refresh()
        #expect(later.cart.state?.cart.asOf == Date.sample + 60 && later.cart.state?.cart.failure == nil)
    }

    @Test func `a refresh that starts no session fails without one, and reads a guest's cart`() async throws {
        let managers = try ManagersUnderTest(over: shop)
        #expect(await thrownReason { try await managers.cart.refresh(startsSession: false) } == .notSignedIn)
        #expect(managers.account.session == nil && shop.requests.isEmpty)
        try await managers.cart.add(sku: "a")
        #expect(try await managers.cart.refresh(startsSession: false).lines.map(\.sku) == ["a"])
    }

    @Test func `keeping the cart fresh uses a refresh that is already under way`() async throws {
        let gate = shop.hold(Contract.cart)
        let managers = try ManagersUnderTest(over: shop, as: .ada, clock: clock)
        async let read = managers.cart.refresh()
        await gate.held(1)
        let shown = Task { await managers.cart.keepFresh(every: .seconds(7)) }
        await clock.sleepers()
        gate.open()
        _ = try await read
        #expect(shop.requests.count == 1)
        await clock.tick()
        await clock.sleepers()
        #expect(shop.requests.count == 2)
        shown.cancel()
        await shown.value
    }

    @Test func `a cancelled refresh does not wait for the edits under way`() async throws {
        let gate = shop.hold(Contract.addCartLine)
        let managers = try await ManagersUnderTest.opened(over: shop, local: MemoryStore())
        async let edit = managers.cart.add(sku: "a")
        await gate.held(1)
        let executor = SteppedExecutor()
        let refresh = Task(executorPreference: executor) { try await managers.cart.refresh() }
        await executor.settle()
        refresh.cancel()
        #expect(await thrownReason { try await refresh.value } == .cancelled)
        gate.open()
        #expect(try await edit.quantities == ["a 1"])
    }
}
