import PouchStorage
import PouchWire
import Testing

@Suite("Health")
struct HealthTests {
    @Test(arguments: ["/health/live", "/health/ready"])
    func `A server with its database is alive and ready`(path: String) async throws {
        try await TestShop.open([]) { shop in
            let answer = try await shop.anyone.send("GET", path)
            #expect(answer.status == 200)
            #expect(answer.header("Cache-Control") == "no-store")
            #expect(answer.header(HeaderName.requestId)?.isEmpty == false)
        }
    }

    @Test func `Without its database a server is alive but not ready, and says so as a problem`() async throws {
        try await TestShop.open([]) { shop in
            try await shop.database { try $0.script("ALTER TABLE catalog_version RENAME TO gone") }
            #expect(try await shop.anyone.send("GET", "/health/live").status == 200)
            let answer = try await shop.anyone.send("GET", "/health/ready")
            try answer.problem(.unavailable)
            #expect(answer.header(HeaderName.retryAfter) == "1")
        }
    }
}
