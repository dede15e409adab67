import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PouchContract
import PouchRides
import PouchServer
import PouchStorage
import PouchWire
import ServerTesting
import Testing

@Suite("The routes and the contract")
struct ContractTests {
    @Test func `The server has the routes of the contract, and no others`() async throws {
        try await TemporaryFolder.use { folder in
            var configuration = ServerConfiguration(
                database: DatabaseAddress(path: folder.appending(path: "pouch.sqlite").path))
            configuration.servesPages = false
            configuration.city = CitySettings()
            let shop = try await ShopApplication(configuration)
            let routes = Set(shop.router.routes.filter { $0.method != .head }.map(\.description))
            let endpoints = Endpoint.all.map { endpoint in
                let path = endpoint.template.description.replacing("{path...}", with: "**")
                return "\(endpoint.method.rawValue) \(path)"
            }
            #expect(routes == Set(endpoints))
            #expect(endpoints.count == routes.count)
            try shop.router.validate()
        }
    }

    @Test(.inShop([])) func `The OpenAPI document is served with an ETag`() async throws {
        let anyone = TestShop.current.anyone
        let answer = try await anyone.send("GET", "/openapi.json")
        #expect(answer.status == 200 && answer.header("Content-Type") == "application/json")
        #expect(answer.body == (try OpenAPI.bytes()))
        let etag = try #require(answer.etag)
        let again = try await anyone.send("GET", "/openapi.json", headers: ["If-None-Match": etag])
        #expect(again.status == 304 && again.body.isEmpty)
    }
}

@Suite("Paths and methods", .inShop())
struct MethodTests {
    private let shop = TestShop.current

    @Test(arguments: [
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

    @Test(arguments: [
        "/v1", "/v2/products", "/v1/nothing", "/v1/cart/lines/a/b", "/v1/products/cap/variants", "/assets",
        "/health", "/.env", "/v1/orders/x/y/z",
    ])
    func `An unknown path is not found with any method`(path: String) async throws {
        for method in ["GET", "POST", "DELETE"] { try await shop.anyone.send(method, path).problem(.notFound) }
    }

    @Test(arguments: ["/v1/products", "/v1/products/cap", "/health/live", "/v1/seasons"])
    func `HEAD has the status and the headers of GET`(path: String) async throws {
        try await TestShop.open(setup: .live) { shop in
            let (get, head) = (try await shop.anyone.send("GET", path), try await shop.anyone.send("HEAD", path))
            #expect(head.status == 200 && head.body.isEmpty && !get.body.isEmpty)
            for name in ["Content-Type", "ETag", "Cache-Control", "Content-Length"] {
                #expect(head.header(name) == get.header(name), "\(name)")
            }
        }
    }
}

@Suite("Request ids", .inShop([]))
struct RequestIdTests {
    private let shop = TestShop.current
    private let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `Every answer has a request id of its own`() async throws {
        var ids: Set<String> = []
        for path in ["/health/live", "/v1/products", "/v1/products", "/nowhere", "/v1/cart"] {
            ids.insert(try #require(try await shop.anyone.send("GET", path).header(HeaderName.requestId)))
        }
        #expect(ids.count == 5)
    }

    @Test func `A trace parent is echoed on successes and errors`() async throws {
        for path in ["/v1/products", "/nowhere"] {
            let answer = try await shop.anyone.send("GET", path, headers: [HeaderName.traceparent: parent])
            #expect(answer.header(HeaderName.traceparent) == parent)
        }
    }

    @Test(arguments: [
        "", "nonsense", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ])
    func `An invalid trace parent is ignored`(text: String) async throws {
        let answer = try await shop.anyone.send("GET", "/v1/products", headers: [HeaderName.traceparent: text])
        #expect(answer.status == 200 && answer.header(HeaderName.traceparent) == nil)
    }
}

@Suite("Health", .inShop([]))
struct HealthTests {
    private let shop = TestShop.current

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
