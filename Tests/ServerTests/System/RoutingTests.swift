import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PouchOpenAPI
import PouchRides
import ServerTesting
import Testing

@testable import PouchDomain

@Suite("The routes and the contract")
struct ContractTests {
    @Test(.inFolder) func `The server has the routes of the contract, and no others`() async throws {
        var configuration = ServerConfiguration(
            database: DatabaseAddress(path: TemporaryFolder.current.appending(path: "pouch.sqlite").path))
        configuration.servesPages = false
        configuration.city = CitySettings()
        let shop = try await ShopApplication(configuration)
        let routes = Set(shop.router.routes.filter { $0.method != .head }.map(\.description))
        let endpoints = Endpoint.all.map { endpoint in
            "\(endpoint.method.rawValue) \(endpoint.template.description.replacing("{path...}", with: "**"))"
        }
        #expect(routes == Set(endpoints) && endpoints.count == routes.count)
        try shop.router.validate()
    }

    @Test(.inShop([])) func `The OpenAPI document is served with an ETag`() async throws {
        let anyone = TestShop.current.anyone
        let answer = try await anyone.send("GET", "/openapi.json")
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
        #expect(answer.body == (try OpenAPI.bytes()))
        let again = try await anyone.send("GET", "/openapi.json", headers: ["If-None-Match": #require(answer.etag)])
        #expect(again.status == 304 && again.body.isEmpty)
    }
}

@Suite("Paths, methods, request ids and health", .inShop())
struct RoutingTests {
    private let shop = TestShop.current

    @Test(
        .oneShop,
        arguments: [
            ("DELETE", "/v1/products", "GET, HEAD"), ("GET", "/v1/sessions", "POST"), ("HEAD", "/v1/accounts", "POST"),
            ("PUT", "/v1/cart", "DELETE, GET, HEAD"), ("POST", "/v1/cart/lines/cap", "DELETE, PUT"),
            ("GET", "/v1/cart/lines/cap", "DELETE, PUT"), ("POST", "/assets/a/b.svg", "GET, HEAD"),
            ("DELETE", "/v1/orders/ord_1", "GET, HEAD"), ("OPTIONS", "/v1/account", "DELETE, GET, HEAD, PATCH"),
            ("DELETE", "/", "GET, HEAD"), ("PUT", "/cart/lines", "GET, HEAD, POST"),
            ("DELETE", "/product/cap", "GET, HEAD"), ("BREW", "/health/live", "GET, HEAD"),
            ("DELETE", "/v1/products/missing", "GET, HEAD"),
        ])
    func `Another method on a known path is refused with the allowed methods`(
        method: String, path: String, allowed: String
    ) async throws {
        let answer = try await shop.anyone.send(method, path)
        try answer.problem(.methodNotAllowed)
        #expect(answer.header("Allow") == allowed)
    }

    @Test(
        .oneShop,
        arguments: [
            "/v1", "/v2/products", "/v1/nothing", "/v1/cart/lines/a/b", "/v1/products/cap/variants", "/assets",
            "/health", "/.env", "/v1/orders/x/y/z",
        ])
    func `An unknown path is not found with any method`(path: String) async throws {
        for method in ["GET", "POST", "DELETE"] { try await shop.anyone.send(method, path).problem(.notFound) }
    }

    @Test(.inShop(setup: .live), arguments: ["/v1/products", "/v1/products/cap", "/health/live", "/v1/seasons"])
    func `HEAD has the status and the headers of GET`(path: String) async throws {
        let (get, head) = (try await shop.anyone.send("GET", path), try await shop.anyone.send("HEAD", path))
        #expect(head.status == 200 && head.body.isEmpty && !get.body.isEmpty)
        for name in ["Content-Type", "ETag", "Cache-Control", "Content-Length"] {
            #expect(head.header(name) == get.header(name), "\(name)")
        }
    }

    @Test func `Every answer has a request id of its own`() async throws {
        var ids: Set<String> = []
        for path in ["/health/live", "/v1/products", "/v1/products", "/nowhere", "/v1/cart"] {
            ids.insert(try #require(try await shop.anyone.send("GET", path).header(HeaderName.requestId)))
        }
        #expect(ids.count == 5)
    }

    @Test func `A trace parent is echoed on successes and errors, and an invalid one is ignored`() async throws {
        let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        for (path, status) in [("/v1/products", 200), ("/nowhere", 404)] {
            for (text, echo) in [(parent, parent), ("ff" + parent.dropFirst(2), nil)] as [(String, String?)] {
                let answer = try await shop.anyone.send("GET", path, headers: [HeaderName.traceparent: text])
                #expect(answer.status == status && answer.header(HeaderName.traceparent) == echo)
            }
        }
    }

    @Test(arguments: ["/health/live", "/health/ready"])
    func `A server with its database is live and ready`(path: String) async throws {
        let answer = try await shop.anyone.send("GET", path)
        #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
        #expect(answer.header(HeaderName.requestId)?.isEmpty == false)
    }

    @Test func `Without its database a server is live but not ready`() async throws {
        try await shop.database { try $0.script("ALTER TABLE shop RENAME TO gone") }
        #expect(try await shop.anyone.send("GET", "/health/live").status == 200)
        let answer = try await shop.anyone.send("GET", "/health/ready")
        try answer.problem(.unavailable)
        #expect(answer.header(HeaderName.retryAfter) == "1")
    }
}

@Suite("Addresses of other servers")
struct PeerAddressTests {
    @Test(arguments: [
        ("https://example.com", "example.com", true), ("http://127.0.0.1:1/x?y=z", "127.0.0.1", false),
        ("HTTPS://Example.com:65535/", "Example.com", true), ("http://[::1]:8080/", "::1", false),
        ("http://payments_1:8080", "payments_1", false), ("http://example.com:", "example.com", false),
    ])
    func `An address of a peer has a scheme, a host and a possible port`(
        text: String, host: String, isEncrypted: Bool
    ) throws {
        let address = try #require(PeerAddress(text))
        #expect(address.host == host && address.isEncrypted == isEncrypted)
    }

    @Test(arguments: [
        "", "example.com", "example.com:80", "ftp://example.com", "unix:///x", "http+unix://x/y", "https://",
        "https:///x", "http://example.com:0", "http://example.com:65536", "http://example.com:99999",
        "http://example.com:-1", "http://example.com:+1", "http://example.com:9223372036854775808",
        "http://example.com:18446744073709551616/x", "http://[::1]:99999", "http://[::1", "http://[fe80::1%25eth0]/",
        "http://user@example.com", "http://:pw@example.com", "http://example.com/#a", "http://exa%6dple.com",
        "http://a b.com",
    ])
    func `Any other address is refused, since a library may end the process at it`(text: String) {
        #expect(PeerAddress(text) == nil)
    }
}

private let things = (1...5).map { FeedProduct.stocked("thing-\($0)") }

@Suite("Cursors", .inShop(things))
struct CursorTests {
    private let shop = TestShop.current

    private func products(_ query: String) async throws -> Answered<ProductPage> {
        try await shop.anyone.call(Contract.products, query: query)
    }

    /// The cursor after the first page of two products.
    private func cursor(_ query: String = "limit=2") async throws -> String {
        try #require(try await products(query).good().nextCursor)
    }

    @Test(arguments: ["x", "", ".", "a.b", "a.b.c", "eyJhIjoxfQ.AAAAAAAAAAAAAAAAAAAAAA", "%20", "%F0%9F%A6%98"])
    func `Every list refuses a forged cursor`(cursor: String) async throws {
        let customer = try await shop.customer()
        for list in [
            "seasons", "themes", "categories", "promotions", "products", "account/addresses", "orders",
            "cart/shipping-methods", "rides", "ride/places", "ride/options",
        ] { try await customer.send("GET", "/v1/\(list)?cursor=\(cursor)").problem(.invalidCursor) }
    }

    @Test func `A cursor is valid for its own list and query only`() async throws {
        let cursor = try await cursor("limit=2&sort=name")
        try await shop.anyone.call(Contract.seasons, query: "cursor=\(cursor)").problem(.invalidCursor)
        try await products("sort=priceAscending&cursor=\(cursor)").problem(.invalidCursor)
        try await products("sort=name&category=hats&cursor=\(cursor)").problem(.invalidCursor)
    }

    @Test func `A cursor of another shop is refused, and one of another server of the shop is valid`() async throws {
        let query = "limit=2&cursor=" + (try await cursor())
        try await TestShop.open(things) { other in
            try await other.anyone.call(Contract.products, query: query).problem(.invalidCursor)
        }
        try await shop.another { server in try await server.anyone.call(Contract.products, query: query).good() }
    }

    @Test func `A cursor that another server signed with a newer key is valid`() async throws {
        let customer = try await shop.customer()
        let first = try await customer.order("thing-1")
        // Orders of the same moment have no order.
        shop.clock.advance(by: 1)
        let second = try await customer.order("thing-2")
        let query = "limit=2&sort=name"
        try await shop.addKey()
        try await shop.another { newer in
            // One list in memory; below, one that is read in a transaction.
            let page = try await newer.anyone.call(Contract.products, query: query).good()
            let next = try await products("\(query)&cursor=\(try #require(page.nextCursor))").good()
            #expect(next.items.map(\.handle) == ["thing-3", "thing-4"])
        }
        try await shop.addKey("fedcba9876543210", secret: 8, after: 2)
        try await shop.another { newest in
            let there = Caller(transport: newest.transport, session: customer.session)
            let page = try await there.call(Contract.orders, query: "limit=1").good()
            #expect(page.items.map(\.id) == [second.id])
            let cursor = try #require(page.nextCursor)
            let next = try await customer.call(Contract.orders, query: "limit=1&cursor=\(cursor)").good()
            #expect(next.items.map(\.id) == [first.id])
        }
    }

    @Test func `A cursor of a search expires with the version of the catalogue`() async throws {
        let query = "q=thing&limit=2&cursor=" + (try await cursor("q=thing&limit=2"))
        try await products(query).good()
        try await shop.stock([.stocked("thing-6")])
        shop.clock.advance(by: 1)
        try await products(query).problem(.cursorExpired)
    }
}

@Suite("Ids", .timeLimit(.minutes(10)), .inShop([]))
struct IdentifierTests {
    private let shop = TestShop.current

    @Test func `Ids of one millisecond sort in the order in which they were made, in any number`() async throws {
        let made = (0..<70_000).map { _ in shop.environment.ids.make(.product) }
        #expect(Set(made).count == made.count)
        #expect(made == made.sorted())
        shop.clock.advance(by: 0.001)
        let later = shop.environment.ids.make(.product)
        #expect(made.allSatisfy { $0 < later && $0.count == later.count })
    }

    @Test func `Servers that make ids in the same millisecond make different ones`() async throws {
        let ids = Set((0..<100).map { _ in shop.environment.ids.make(.product) })
        try await shop.another { other in
            #expect(ids.isDisjoint(with: (0..<100).map { _ in other.environment.ids.make(.product) }))
        }
    }

    @Test func `The products of one import are listed in the order of their feed, the last one first`() async throws {
        let names = (0..<40).map { "item-\($0 * 7 % 40)" }
        try await shop.stock(names.map { .stocked($0) })
        shop.clock.advance(by: 1)
        let page = try await shop.anyone.call(Contract.products, query: "limit=100").good()
        #expect(page.items.map(\.handle) == names.reversed())
    }
}
