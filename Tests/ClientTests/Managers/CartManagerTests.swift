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
}
