import ClientTesting
import Foundation
import Loopback
import PouchClient
import PouchTesting
import Testing

/// The errors for a wrong address, port or certificate of a server, through `Pouch` and the transport that it uses by
/// itself.
@Suite(.timeLimit(.minutes(5)))
struct ServerAddressTests {
    private func error(_ server: URL) async -> DataError? {
        let pouch = Pouch(server: server, network: NetworkOptions(retries: .once))
        return await #expect(throws: DataError.self) { _ = try await pouch.catalog.products(ProductQuery()) }
    }

    @Test func `an answer cut within its head is a lost connection, and does not end the process`() async throws {
        let server = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Le" }
        #expect(await error(try server.url(""))?.reason == .connectionLost)
        #expect(server.heads.count == 1)
    }

    @Test(arguments: ["localhost:18200", "/nope", "ftp://127.0.0.1/shop", "http:///shop", "http://127.0.0.1:65536"])
    func `an address that is no server's fails at once, for a server and for a feed`(address: String) async throws {
        let url = try #require(URL(string: address))
        let feed = Pouch(feed: url)
        let failures = [
            await error(url),
            await #expect(throws: DataError.self) { _ = try await feed.catalog.products(ProductQuery()) },
            await #expect(throws: DataError.self) { _ = try await Pouch(server: url).cart.add(sku: "a") },
        ]
        for failure in failures {
            #expect(failure?.reason == .invalidAddress)
            #expect(failure?.errorDescription == "This is not the address of a server.")
            #expect(failure?.mayHaveTakenEffect == false)
        }
    }

    @Test func `https to a server without TLS, and http to one with it, say so, and not that a certificate is wrong`()
        async throws
    {
        let alert = Data([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46])
        for (server, scheme, reason, spoken, other) in [
            (try await PlainServer(), "https", DataError.Reason.noTLS, "TLS", "http://"),
            (try await PlainServer(answer: alert), "http", .noHTTP, "HTTP", "https://"),
        ] {
            let error = await error(try server.url(scheme))
            #expect(error?.reason == reason)
            #expect(error?.errorDescription == "The server does not speak \(spoken) on this port.")
            #expect(error?.recoverySuggestion?.contains(other) == true)
        }
    }

    @Test func `an empty handle or id is not found, and nothing is sent`() async throws {
        let shop = TestShop()
        let pouch = Pouch(testing: shop, signedInAs: .sample())
        let sent = shop.requests.count
        #expect(await thrownReason { try await pouch.catalog.product(handle: "") } == .notFound)
        #expect(await thrownReason { try await pouch.orders.order(id: "") } == .notFound)
        #expect(shop.requests.count == sent)
    }
}
