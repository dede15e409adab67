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

    @Test func `Every endpoint but health and assets has an exchange, once`() {
        let described = Contract.all.map(\.endpoint)
        #expect(Set(described).union([.healthLive, .healthReady, .asset]) == Set(Endpoint.all))
        #expect(Set(described).count == described.count)
        #expect(Set(described).isDisjoint(with: [.healthLive, .healthReady, .asset]))
    }
}
