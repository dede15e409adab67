import ClientTesting
import Foundation
import Loopback
import PouchClient
import PouchTesting
import Testing

struct PouchClientTests {
    @Test func `one import is enough to shop`() async throws {
        struct Shop: Transport {
            func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
                StreamedResponse(answer(to: request))
            }

            private func answer(to request: NetworkRequest) -> NetworkResponse {
                switch request.url.path() {
                case "/v1/sessions/guest": .json(Fixture.session(account: nil), status: 201)
                case "/v1/cart/checkout": .json(Fixture.order(), status: 201)
                default: .json(Fixture.cart())
                }
            }
        }
        let client = Pouch(server: try #require(URL(string: "http://127.0.0.1")), transport: Shop())
        let cart = try await client.cart.add(sku: "a")
        let order = try await client.checkout.pay(for: cart, with: .card(token: "tok_ok"), email: "ada@example.org")
        #expect(order.number == "P-1")
        #expect(client.account.session?.kind == .guest)
    }
}

/// The time of a client over a test shop.
@Suite(.timeLimit(.minutes(5)))
struct TestTimeTests {
    @Test func `a test's clock moves the day and the managers, and ends no request`() async throws {
        let (shop, clock) = (TestShop(), ManualClock())
        let pouch = Pouch(
            testing: shop, signedInAs: .sample(), freshness: Freshness(catalog: .seconds(60)), clock: clock)
        let gate = shop.hold(Contract.seasons)
        var seasons = pouch.catalog.seasonStates().makeAsyncIterator()
        _ = await seasons.next()
        await gate.held()
        #expect(clock.slept.isEmpty, "the request's timeout has a clock of its own")
        gate.open()
        while let state = await seasons.next(), state.value == nil {}
        shop.change { $0.seasons = [.sample()] }
        await clock.tick()
        while let state = await seasons.next(), state.value?.isEmpty == true {}
        #expect(shop.requests(to: Contract.seasons).count == 2)

        shop.change { $0.orders["acc_ada"] = [.sample(status: .pending)] }
        var orders = pouch.orders.follow("ord_1").makeAsyncIterator()
        #expect(await orders.next()?.value?.status == .pending)
        shop.change { $0.orders["acc_ada"] = [.sample()] }
        // The seasons wait for their next refresh, and the order for its next request.
        await clock.sleepers(2)
        await clock.advance(by: .seconds(5))
        #expect(await orders.next()?.value?.status == .paid)
    }

    @Test func `a request times out on a clock for it`() async throws {
        let (shop, clock) = (TestShop(), ManualClock())
        let pouch = Pouch(testing: shop, timeoutClock: clock)
        let gate = shop.hold(Contract.seasons)
        let seasons = Task { try await pouch.catalog.seasons() }
        await gate.held()
        await clock.tick()
        #expect(await thrownReason { try await seasons.value } == .timedOut)
    }

    @Test func `a test that is cancelled waits no longer`() async throws {
        let (shop, clock, gate) = (TestShop(), ManualClock(), Gate())
        let waits: [@Sendable () async throws -> Void] = [
            { await gate.pass() }, { await gate.held(9) }, { await clock.sleepers() }, { await clock.tick() },
            { _ = try await shop.rideStream() },
        ]
        for wait in waits {
            let waiting = Task(operation: wait)
            waiting.cancel()
            _ = await waiting.result
        }
        #expect(clock.sleeperCount == 0)
    }
}

/// The errors for a wrong address, port or certificate of a server, through `Pouch` and the transport that it uses by
/// itself.
@Suite(.timeLimit(.minutes(5)))
struct ServerAddressTests {
    private func error(_ server: URL) async -> DataError? {
        let pouch = Pouch(server: server, network: .once)
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

    @Test func `https without TLS, and http with it, say so, and not that a certificate is wrong`() async throws {
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

/// The documented ways out of a collision of names: a program has types of its own with the names of the model.
struct NameTests {
    private struct Product {
        let shown: PouchEntities.Product
    }

    private struct Connection {
        let state: PouchManagers.Connection
    }

    @Test func `names of the model can be qualified by their modules`() async throws {
        let pouch = Pouch(testing: TestShop())
        #expect(Product(shown: try await pouch.catalog.product(handle: "hat-1").value).shown.handle == "hat-1")
        #expect(Connection(state: pouch.connection.connection).state == .online)
    }
}
