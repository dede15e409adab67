import PouchContract
import PouchWire
import Testing

/// An access token stays good for minutes; what counts is whether its session goes on.
@Suite("A session that has ended")
struct EndedSessionTests {
    /// Those that need a token and take no JSON, which would be looked at first.
    private static let endpoints = Contract.all.filter {
        $0.endpoint.access != .anyone && ($0.bodyType == NoBody.self || $0.bodyType == RawBytes.self)
    }.map(\.endpoint)

    @Test(arguments: endpoints)
    func `Its token opens nothing any more`(endpoint: Endpoint) async throws {
        try await TestShop.open { shop in
            let admin = try await shop.admin()
            try await admin.call(Contract.signOut).good()
            let path = endpoint.template.path(["sku": "cap", "id": "x"])
            let query = endpoint == .importCatalog ? "?format=shopify-csv" : ""
            try await admin.send(
                endpoint.method.rawValue, path + query, headers: [HeaderName.idempotencyKey: "k"]
            ).problem(.unauthenticated)
        }
    }
}
