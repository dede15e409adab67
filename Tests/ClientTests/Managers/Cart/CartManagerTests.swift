import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CartManagerTests {
    private let signedIn = MemorySessionStore(Fixture.data(Fixture.session()))
    private let shop = StubShop()

    @Test func `observers first get the cart as it is, then each change`() async throws {
        let versions = Counter()
        let transport = StubTransport { _ in
            versions.increment()
            return .json(Fixture.cart(version: versions.value))
        }
        let cart = try ManagersUnderTest(over: transport, store: signedIn).cart
        var carts = cart.carts().makeAsyncIterator()
        #expect(await carts.next() == .some(nil))
        try await cart.add(sku: "a")
        #expect(await carts.next()??.version == 1)
        try await cart.refresh()
        #expect(await carts.next()??.version == 2)
        var late = cart.carts().makeAsyncIterator()
        #expect(await late.next()??.version == 2)
    }

    @Test func `the first use by nobody starts a guest session and uses it`() async throws {
        let transport = RecordingTransport { request in
            request.url.path() == "/v1/sessions/guest"
                ? .json(Fixture.session(account: nil), status: 201) : .json(Fixture.cart())
        }
        let managers = try ManagersUnderTest(over: transport)
        try await managers.cart.add(sku: "a", quantity: 2)
        #expect(transport.requests.map(\.url.lastPathComponent) == ["guest", "lines"])
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer access-1")
        #expect(managers.account.session?.kind == .guest)
    }

    @Test func `a refresh that fails leaves the cart in memory as it was`() async throws {
        let calls = Counter()
        let transport = StubTransport { _ throws(NetworkError) in
            calls.increment()
            guard calls.value == 1 else { throw .timedOut }
            return .json(Fixture.cart(version: 4))
        }
        let cart = try ManagersUnderTest(over: transport, store: signedIn).cart
        try await cart.refresh()
        await #expect(throws: DataError.self) { try await cart.refresh() }
        #expect(cart.cart?.version == 4)
    }

    @Test func `an answer that was overtaken does not bring back the older cart`() async throws {
        let slow = Gate()
        let transport = StubTransport { request in
            guard request.method == "GET" else { return .json(Fixture.cart(version: 2)) }
            await slow.pass()
            return .json(Fixture.cart(version: 1))
        }
        let cart = try ManagersUnderTest(over: transport, store: signedIn).cart
        async let older = cart.refresh()
        await slow.held(1)
        try await cart.add(sku: "a")
        slow.open()
        #expect(try await older.version == 1)
        #expect(cart.cart?.version == 2)
    }

    @Test func `a cart that arrives after its owner signed out is not kept`() async throws {
        let slow = Gate()
        let transport = StubTransport { request in
            guard request.method == "GET" else { return NetworkResponse(status: 204) }
            await slow.pass()
            return .json(Fixture.cart())
        }
        let managers = try ManagersUnderTest(over: transport, store: signedIn)
        async let cart = managers.cart.refresh()
        await slow.held(1)
        try await managers.account.signOut()
        slow.open()
        _ = try await cart
        #expect(managers.cart.cart == nil)
    }

    @Test func `observers hear that the cart is gone when its owner signs out`() async throws {
        let transport = StubTransport { request in
            request.url.path() == "/v1/cart" ? .json(Fixture.cart()) : NetworkResponse(status: 204)
        }
        let managers = try ManagersUnderTest(over: transport, store: signedIn)
        try await managers.cart.refresh()
        var carts = managers.cart.carts().makeAsyncIterator()
        #expect(await carts.next()??.id == "crt_1")
        try await managers.account.signOut()
        #expect(await carts.next() == .some(nil))
    }

    // MARK: Many at once

    @Test func `edits of many tasks at once reach the server one at a time, none lost, none doubled`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await managers.cart.add(sku: "s\(number % 5)") }
                group.addTask { _ = managers.cart.state }
            }
            try await group.waitForAll()
        }
        #expect(shop.effects.count == 100)
        #expect(shop.mostUnderWay == 1)
        #expect(managers.cart.cart?.unitCount == 100)
    }

    @Test func `an edit that is given up before its turn is not done`() async throws {
        let gate = Gate()
        let shop = StubShop { request in if request.method == "POST" { await gate.pass() } }
        let managers = try ManagersUnderTest(over: shop, as: .ada, local: MemoryStore(), clock: ManualClock())
        try await managers.cart.refresh()
        async let first = managers.cart.add(sku: "a")
        await gate.held(1)
        let second = Task { try await managers.cart.add(sku: "b") }
        await Task.yield()
        second.cancel()
        let error = await #expect(throws: DataError.self) { try await second.value }
        #expect(error?.reason == .cancelled)
        gate.open()
        _ = try await first
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1"])
    }

    // MARK: Without a store

    @Test func `without a store an edit that cannot reach the server fails, and nothing of it is kept`() async throws {
        let managers = try ManagersUnderTest(over: shop, as: .ada)
        try await managers.cart.add(sku: "a")
        shop.line = .down
        let error = await #expect(throws: DataError.self) { try await managers.cart.add(sku: "a") }
        #expect(error?.reason == .unreachable)
        shop.line = .up
        try await managers.cart.refresh()
        #expect(shop.effects == ["add a 1"])
        #expect(managers.cart.state?.isConfirmed == true)
    }

    @Test func `a manager that nobody holds ends, also while edits are pending`() async throws {
        let clock = ManualClock()
        let store = await MemoryStore.holding([Fixture.product(sku: "a")])
        weak var cart: CartManager?
        do {
            let managers = try ManagersUnderTest(over: shop, as: .ada, local: store, clock: clock)
            cart = managers.cart
            try await managers.cart.refresh()
            shop.line = .down
            try await managers.cart.add(sku: "a")
            #expect(cart != nil)
        }
        for _ in 0..<1000 where cart != nil { await Task.yield() }
        #expect(cart == nil)
    }
}
