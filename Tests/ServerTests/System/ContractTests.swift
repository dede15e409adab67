import Foundation
import Hummingbird
import PouchContract
import PouchServer
import PouchWire
import Testing

@Suite("The routes and the contract")
struct ContractTests {
    @Test func `The server has the routes of the contract, and no others`() async throws {
        try await TemporaryFolder.use { folder in
            let shop = try await ShopApplication(
                ServerConfiguration(database: DatabaseAddress(path: folder.appending(path: "pouch.sqlite").path)))
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

    @Test func `The document is served as it is made, with an ETag`() async throws {
        try await TestShop.open { shop in
            let answer = try await shop.anyone.send("GET", "/openapi.json")
            #expect(answer.status == 200)
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.body == (try OpenAPI.bytes()))
            let etag = try #require(answer.etag)
            let again = try await shop.anyone.send("GET", "/openapi.json", headers: ["If-None-Match": etag])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
        }
    }
}
