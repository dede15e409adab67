import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Headers that are no good")
struct BadHeaderTests {
    @Test(arguments: TestingSetupName.allCases)
    func `More than 16 KiB of headers are too large`(setup: TestingSetupName) async throws {
        try await TestShop.open([], setup: setup.value) { shop in
            let large = String(repeating: "x", count: 20_000)
            try await shop.anyone.send("GET", "/v1/products", headers: ["X-Large": large]).problem(.headersTooLarge)
            let many = Dictionary(
                uniqueKeysWithValues: (0..<200).map { ("X-\($0)", String(repeating: "y", count: 100)) })
            try await shop.anyone.send("GET", "/v1/products", headers: many).problem(.headersTooLarge)
        }
    }

    @Test(arguments: [
        "Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "bearer x", "Bearer a.b.c", "nonsense", "Bearer  two  words",
        "Bearer é",
    ])
    func `An authorization that is none of ours is refused`(value: String) async throws {
        try await TestShop.open([]) { shop in
            for path in ["/v1/cart", "/v1/account", "/v1/orders"] {
                try await shop.anyone.send("GET", path, headers: ["Authorization": value]).problem(.unauthenticated)
            }
        }
    }

    @Test(arguments: Endpoint.all.filter { $0.access != .anyone })
    func `Without a token nothing is answered that needs one`(endpoint: Endpoint) async throws {
        try await TestShop.open([]) { shop in
            let path = endpoint.template.path(["sku": "cap", "id": "x"])
            try await shop.anyone.send(endpoint.method.rawValue, path, "{}").problem(.unauthenticated)
        }
    }

    @Test(arguments: Endpoint.all.filter { $0.access == .customer })
    func `A guest may not do what needs an account`(endpoint: Endpoint) async throws {
        try await TestShop.open([]) { shop in
            let path = endpoint.template.path(["id": "x"])
            try await shop.guest().send(endpoint.method.rawValue, path, "{}").problem(.forbidden)
        }
    }

    @Test(arguments: ["abc", "W/\"1\"", "\"1\", \"2\"", "\"\"", "99999999999999999999"])
    func `An If-Match that is no version cannot be read`(value: String) async throws {
        try await TestShop.open { shop in
            try await shop.guest().add("cap", headers: [HeaderName.ifMatch: value]).problem(.invalidHeader)
        }
    }

    @Test(arguments: ["", "two words", "é", String(repeating: "k", count: 256)])
    func `An idempotency key must be visible ASCII of up to 255 characters`(key: String) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap", headers: [HeaderName.idempotencyKey: key]).problem(.invalidHeader)
            try await guest.buyNow(key: key).problem(.invalidHeader)
            #expect(try await guest.cart().lines == [])
        }
    }
}
