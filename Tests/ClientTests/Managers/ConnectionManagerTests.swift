import ClientTesting
import Foundation
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConnectionManagerTests {
    private let shop = TestShop(sellsAnySKU: true)
    private let clock = ManualClock()

    /// Managers over a service with a cache.
    private func cached(_ web: WebFolder) throws -> (DataManager, ConnectionManager) {
        let service = APIWrapper(
            server: try #require(URL(string: "http://127.0.0.1")), transport: web,
            sessionStore: MemorySessionStore(), cache: ResponseCache())
        let data = DataManager(service: service)
        return (data, ConnectionManager(data: data, clock: clock))
    }

    @Test func `every call shows whether the server answers`() async throws {
        let answers: [(Result<NetworkResponse, NetworkError>, Connection)] = [
            (.failure(.unreachable("test")), .offline), (.success(.problem(.notFound)), .online),
            (.failure(.timedOut), .offline), (.success(.problem(.internalError)), .online),
            // The answer of a proxy.
            (.success(.text("<html>", status: 502)), .offline), (.success(.text("{}")), .online),
            // No evidence either way.
            (.failure(.cancelled), .online),
        ]
        let managers = try ManagersUnderTest(over: RecordingTransport(answers.map(\.0)), clock: clock)
        #expect(managers.connection.connection == .online)
        for (_, expected) in answers {
            _ = try? await managers.data.product(handle: "a")
            #expect(managers.connection.connection == expected)
        }
    }

    @Test func `a subscription that ends during a change blocks no other subscriber`() async throws {
        let calls = Counter()
        let transport = StubTransport { _ throws(NetworkError) in
            if calls.increment().isMultiple(of: 2) { throw .unreachable("test") }
            return .problem(.notFound)
        }
        let managers = try ManagersUnderTest(over: transport, clock: clock)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { while !Task.isCancelled { _ = try? await managers.data.product(handle: "a") } }
            for _ in 0..<8 {
                group.addTask {
                    for round in 0..<400 {
                        let listening = Task { for await _ in managers.connection.connections() {} }
                        for _ in 0..<(round % 8) { await Task.yield() }
                        listening.cancel()
                        await listening.value
                    }
                }
            }
            for _ in 0..<8 { await group.next() }
            group.cancelAll()
        }
    }

    @Test func `an answer from the cache during an outage does not count as contact`() async throws {
        let web = WebFolder(["/v1/products/a": "{}"])
        let (data, connection) = try cached(web)
        _ = try? await data.product(handle: "a")
        #expect(connection.connection == .online)
        web.setAway(true)
        for _ in 0..<2 {
            _ = try? await data.product(handle: "a")
            #expect(connection.connection == .offline)
        }
    }

    @Test func `a fresh answer from the cache says nothing about the server`() async throws {
        let web = WebFolder(["/v1/products/a": "{}"], headers: ["Cache-Control": "max-age=60"])
        let (data, connection) = try cached(web)
        _ = try? await data.product(handle: "a")
        web.setAway(true)
        _ = try? await data.product(handle: "b")
        #expect(connection.connection == .offline)
        _ = try? await data.product(handle: "a")
        #expect(connection.connection == .offline)
    }

    @Test func `a feed is offline while its files are unreachable, and asked until it is back`() async throws {
        let web = SampleFeed.web()
        let data = try SampleFeed.data(web)
        let manager = ConnectionManager(data: data, clock: clock)
        var connections = manager.connections().makeAsyncIterator()
        #expect(await connections.next() == .online)
        web.setAway(true)
        _ = try? await data.catalog().promotions()
        #expect(await connections.next() == .offline)
        await clock.sleepers()
        web.setAway(false)
        await clock.tick()
        #expect(await connections.next() == .online)
        #expect(web.requests.last?.method == "HEAD")
    }

    @Test func `an image of the shop shows whether it answers, one from elsewhere does not`() async throws {
        let web = WebFolder()
        let data = try SampleFeed.data(web)
        let (manager, assets) = (ConnectionManager(data: data, clock: clock), AssetManager(data: data))
        web.setAway(true)
        _ = try? await assets.data(of: ProductImage(url: "https://example.org/a.svg", alt: ""))
        #expect(manager.connection == .online)
        _ = try? await assets.data(of: ProductImage(url: "/assets/a.svg", alt: ""))
        #expect(manager.connection == .offline)
    }

    @Test func `with a subscriber, an offline server is asked at growing intervals until it is back`() async throws {
        let managers = try ManagersUnderTest(over: shop, clock: clock)
        var connections = managers.connection.connections().makeAsyncIterator()
        #expect(await connections.next() == .online)
        shop.connection = .down
        _ = try? await managers.data.product(handle: "a")
        #expect(await connections.next() == .offline)
        for _ in 0..<7 { await clock.tick() }
        await clock.sleepers()
        shop.connection = .up
        await clock.tick()
        #expect(await connections.next() == .online)
        #expect(clock.slept == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(shop.requests.map { $0.url.path() } == ["/v1/products/a"] + Array(repeating: "/health/ready", count: 8))
    }

    @Test func `without a subscriber, an offline server is not asked`() async throws {
        let managers = try ManagersUnderTest(over: shop, clock: clock)
        shop.connection = .down
        _ = try? await managers.data.product(handle: "a")
        #expect(managers.connection.connection == .offline)
        do {
            var connections = managers.connection.connections().makeAsyncIterator()
            #expect(await connections.next() == .offline)
            await clock.sleepers()
        }
        // The last subscription has ended when the pause is over, so no other follows.
        shop.connection = .up
        await clock.tick()
        #expect(shop.requests(to: Contract.healthReady).isEmpty)
        #expect(clock.slept == [.seconds(1)])
    }
}
