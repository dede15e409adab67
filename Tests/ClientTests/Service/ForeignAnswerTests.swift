import ClientTesting
import Foundation
import PouchClient
import PouchData
import PouchNetwork
import PouchService
import PouchTesting
import Synchronization
import Testing

/// Answers of programs between the client and the shop, such as gateways and the sign-in page of a Wi-Fi. None of them
/// counts as an answer of the shop, at any status.
@Suite(.timeLimit(.minutes(5)))
struct ForeignAnswerTests {
    struct Answer: Sendable, CustomTestStringConvertible {
        let status: Int
        let name: String
        let body: String

        var testDescription: String { "\(status), \(name)" }

        var response: NetworkResponse {
            NetworkResponse(status: status, headers: ["Content-Type": "text/html"], data: Data(body.utf8))
        }
    }

    private static let statuses = [
        200, 201, 202, 203, 206, 300, 302, 304, 307, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 412, 413,
        415, 417, 421, 422, 423, 425, 426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520,
        599,
    ]
    private static let bodies = [
        ("HTML", "<html><h1>Welcome to our Wi-Fi</h1></html>"), ("empty", ""),
        ("JSON of another program", #"{"error":"forbidden","status":"ok"}"#),
        ("a problem of another program", #"{"type":"about:blank","title":"Forbidden","status":403}"#),
        ("a problem with a code", #"{"type":"/errors/1","title":"No","status":404,"code":"not_found"}"#),
    ]

    static let answers = statuses.flatMap { status in bodies.map { Answer(status: status, name: $0.0, body: $0.1) } }

    /// A server whose answers another program can replace, after or instead of the effect of the request.
    private final class Line: Sendable {
        enum Fate: Sendable {
            case delivered
            case replaced(NetworkResponse)
            case answeredAndReplaced(NetworkResponse)
        }

        private let fate = Mutex(Fate.delivered)

        func set(_ fate: Fate) { self.fate.withLock { $0 = fate } }

        func transport(to server: any Transport) -> any Transport {
            StubTransport { [self] request throws(NetworkError) in
                let fate = fate.withLock { $0 }
                if case .replaced(let foreign) = fate { return foreign }
                let answer = try await server.response(to: request)
                if case .answeredAndReplaced(let foreign) = fate { return foreign } else { return answer }
            }
        }
    }

    private let line = Line()

    @Test(arguments: answers)
    func `a waiting edit stays, the session too, and is made when the shop is back`(foreign: Answer) async throws {
        let shop = TestShop(sellsAnySKU: true)
        let store = await MemoryStore.holding("a")
        let clock = ManualClock()
        let managers = try ManagersUnderTest(over: line.transport(to: shop), as: .ada, local: store, clock: clock)
        try await managers.cart.refresh()
        line.set(.replaced(foreign.response))
        try await managers.cart.add(sku: "a", quantity: 2)
        await #expect(throws: DataError.self) { try await managers.cart.sendPending() }
        await #expect(throws: DataError.self) { try await managers.cart.refresh() }
        #expect(managers.cart.state?.pendingCount == 1)
        #expect(managers.account.session != nil)
        if foreign.status >= 300 { #expect(managers.connection.connection == .offline) }
        #expect(await store.pendingWrites(of: Shopper.ada.owner).count == 1)
        line.set(.delivered)
        // Nothing but time brings the edit to the shop.
        clock.run()
        _ = await managers.cart.state { $0.isConfirmed }
        #expect(shop.effects == ["add a 2"])
    }

    @Test(arguments: answers)
    func `a purchase stays open, and is made once when it is repeated`(foreign: Answer) async throws {
        let shop = TestShop(sellsAnySKU: true)
        let managers = try ManagersUnderTest(over: line.transport(to: shop), as: .ada)
        let cart = try await managers.fillCart("rosa-1")
        line.set(.answeredAndReplaced(foreign.response))
        let error = await thrownError { try await managers.checkout.pay(for: cart, with: .card(token: "tok_ok")) }
        #expect(error?.openPurchase != nil)
        line.set(.replaced(foreign.response))
        let open = try #require(try await managers.checkout.unresolved().first)
        await #expect(throws: DataError.self) { _ = try await managers.checkout.resume(open) }
        line.set(.delivered)
        let purchase = try #require(try await managers.checkout.unresolved().first)
        #expect(try await managers.checkout.resume(purchase).id == "ord_1")
        #expect(shop.effects == ["add rosa-1 1", "ship standard", "order ord_1"])
        #expect(try await managers.checkout.unresolved().isEmpty)
    }

    @Test(arguments: answers)
    func `a ride request stays open, and asks for one ride when it is repeated`(foreign: Answer) async throws {
        let shop = TestShop()
        let managers = try ManagersUnderTest(over: line.transport(to: shop), as: .ada)
        line.set(.answeredAndReplaced(foreign.response))
        let error = await thrownError { try await managers.rides.request(.sample(), option: "wallaby") }
        #expect(error?.mayHaveTakenEffect == true)
        line.set(.delivered)
        let request = try #require(try await managers.rides.unresolvedRequests().first)
        #expect(try await managers.rides.resume(request).id == "rid_1")
        #expect(try await managers.rides.rides().items.count == 1)
    }

    @Test(arguments: answers)
    func `the stored catalogue is read instead, with the reason`(foreign: Answer) async throws {
        let device = CatalogUnderTest()
        let catalog = try device.catalog(over: line.transport(to: CatalogUnderTest.shop()))
        try await catalog.refresh()
        line.set(.replaced(foreign.response))
        let page = try await catalog.products(ProductQuery())
        #expect(page.value.items.count == 2 && page.failure != nil)
        #expect(try await catalog.product(handle: "hat").failure != nil)
    }

    // Any bytes are a picture, and 304 confirms the cached one.
    @Test(arguments: answers.filter { $0.status > 304 })
    func `a cached answer is read instead, and stays in the cache`(foreign: Answer) async throws {
        let web = CatalogUnderTest.shop()
        web.put("the picture of a hat", at: "/assets/hat.svg")
        let pouch = Pouch(
            server: try #require(URL(string: "http://127.0.0.1")), transport: line.transport(to: web), network: .once)
        let image = ProductImage(url: "/assets/hat.svg", alt: "")
        _ = try await pouch.assets.data(of: image)
        line.set(.replaced(foreign.response))
        #expect(try await pouch.assets.data(of: image).failure != nil)
        line.set(.replaced(NetworkResponse(status: 502)))
        #expect(try await pouch.assets.data(of: image).failure != nil)
    }

    @Test(arguments: answers)
    func `a foreign answer does not count as success`(foreign: Answer) async throws {
        let managers = try ManagersUnderTest(over: line.transport(to: TestShop(sellsAnySKU: true)), as: .ada)
        try await managers.account.restore()
        line.set(.replaced(foreign.response))
        await #expect(throws: DataError.self) { try await managers.account.removeAddress(id: "adr_1") }
        await #expect(throws: DataError.self) { try await managers.account.deleteAccount(password: "x") }
        #expect(managers.account.session != nil)
    }

    @Test func `behind a foreign certificate, an edit stays and the stored catalogue is read`() async throws {
        let isForeign = Mutex(false)
        let (shop, clock) = (TestShop(products: [Fixture.product(sku: "a")]), ManualClock())
        let transport = StubTransport { request throws(NetworkError) in
            if isForeign.withLock({ $0 }) { throw .untrusted("a certificate of a Wi-Fi") }
            return try await shop.response(to: request)
        }
        let managers = try ManagersUnderTest(
            over: transport, as: .ada, local: await MemoryStore.holding("a"), clock: clock)
        let catalog = CatalogManager(data: managers.data)
        try await catalog.refresh()
        try await managers.cart.refresh()
        isForeign.withLock { $0 = true }
        try await managers.cart.add(sku: "a")
        #expect(managers.cart.state?.pendingCount == 1)
        #expect(try await catalog.products().failure?.reason == .untrustedServer)
        isForeign.withLock { $0 = false }
        clock.run()
        _ = await managers.cart.state { $0.isConfirmed }
        #expect(shop.effects == ["add a 1"])
    }

    @Test func `the text for people explains a foreign answer without its status`() async throws {
        let managers = try ManagersUnderTest(over: line.transport(to: TestShop(sellsAnySKU: true)), as: .ada)
        line.set(.replaced(.text("<html>", status: 403, type: "text/html")))
        let error = await #expect(throws: DataError.self) { _ = try await managers.account.profile() }
        #expect(error?.errorDescription == "The server sent an unexpected response.")
        #expect(error?.recoverySuggestion?.contains("sign in") == true)
    }
}
