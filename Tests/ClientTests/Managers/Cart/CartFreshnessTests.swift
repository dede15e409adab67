import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import Testing

/// A cart that is looked at.
@Suite(.timeLimit(.minutes(1)))
struct CartFreshnessTests {
    private let shop = StubShop()

    /// A defect of the system that this one comes from: a refresh that failed counted as one, and the next was far away.
    @Test func `a cart that is shown is refreshed at intervals, also after a refresh that failed`() async throws {
        let clock = ManualClock()
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: clock)
        try await managers.cart.add(sku: "a")
        let shown = Task { await managers.cart.keepFresh(every: .seconds(7)) }
        await clock.tick()
        shop.line = .down
        await clock.tick()
        shop.line = .up
        shop.setPrice("a", 1500)
        await clock.tick()
        #expect(await managers.cart.state { $0.cart.totals.total == Fixture.euros(1500) } != nil)
        var updates = managers.cart.updates().makeAsyncIterator()
        #expect(
            await updates.next()
                == .changed([.priceChanged(sku: "a", from: Fixture.euros(1000), to: Fixture.euros(1500))]))
        shown.cancel()
        await shown.value
        #expect(Set(clock.slept) == [.seconds(7)])
    }

    @Test func `a cart that cannot be read anew says from when it is and why, also in a later process`() async throws {
        let clock = ManualClock()
        let store = MemoryStore()
        let managers = try ManagersUnderTest(
            over: shop, as: .ada, local: store, clock: clock, now: { clock.date })
        try await managers.cart.refresh()
        #expect(managers.cart.state?.asOf == Fixture.now)
        clock.pass(.seconds(60))
        shop.line = .down
        await #expect(throws: DataError.self) { try await managers.cart.refresh() }
        #expect(managers.cart.state?.asOf == Fixture.now)
        #expect(managers.cart.state?.failure?.reason == .unreachable)
        let later = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: clock, now: { clock.date })
        #expect(try await later.cart.restore()?.asOf == Fixture.now)
        shop.line = .up
        try await later.cart.refresh()
        #expect(later.cart.state?.asOf == Fixture.now + 60)
        #expect(later.cart.state?.failure == nil)
    }

    @Test func `a refresh that is to start no session starts none, and reads the cart of a guest`() async throws {
        let managers = try ManagersUnderTest(over: shop)
        await #expect {
            try await managers.cart.refresh(startsSession: false)
        } throws: {
            ($0 as? DataError)?.reason == .notSignedIn
        }
        #expect(managers.account.session == nil && shop.requests.isEmpty)
        try await managers.cart.add(sku: "a")
        let cart = try await managers.cart.refresh(startsSession: false)
        #expect(cart.lines.map(\.sku) == ["a"])
    }

    @Test func `a refresh that somebody else has under way is as good as one of the cart's own`() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let shop = StubShop { _ in await gate.pass() }
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

    @Test func `a refresh that is given up does not wait for the edits that are under way`() async throws {
        let gate = Gate()
        let shop = StubShop { request in if request.method == "POST" { await gate.pass() } }
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        try await managers.cart.refresh()
        async let edit = managers.cart.add(sku: "a")
        await gate.held(1)
        let refresh = Task { try await managers.cart.refresh() }
        for _ in 0..<100 { await Task.yield() }
        refresh.cancel()
        let error = await #expect(throws: DataError.self) { try await refresh.value }
        #expect(error?.reason == .cancelled)
        gate.open()
        #expect(try await edit.quantities == ["a 1"])
    }
}
