import Foundation
import KooberClient
import KooberKit
import Logging
import PouchClient
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchServer
import ServiceLifecycle
import TestDatabase

/// The whole server on TCP for one test: with a database and a city of its own, and a clock that stands still. It can go
/// away, and come back on the same port.
actor RideServer {
    private struct Running {
        let environment: DomainEnvironment
        let feed: RideFeed
        let services: ServiceGroup
        let task: Task<Void, any Error>
    }

    nonisolated let clock: SettableClock
    private var configuration: ServerConfiguration
    private var running: Running?

    private init(_ configuration: ServerConfiguration, _ clock: SettableClock) {
        self.configuration = configuration
        self.clock = clock
    }

    /// - Parameter kangaroos: all that there are.
    static func open(
        kangaroos: [DriverRecord] = .calm, _ body: @Sendable (RideServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let clock = SettableClock()
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder.url).address)
        configuration.dataFolder = folder.url
        configuration.port = 0
        configuration.time = clock
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        // A ride is over before its rider's token is.
        configuration.city = CitySettings(speed: 10, kangaroosOfEachSpecies: 0)
        // Soon enough for who waits to hear that their session has ended.
        configuration.rideHeartbeat = .milliseconds(200)
        let server = RideServer(configuration, clock)
        let result: Result<Void, any Error>
        do {
            try await server.comeBack()
            try await server.add(kangaroos)
            result = .success(try await body(server))
        } catch {
            result = .failure(error)
        }
        try await server.leave()
        try await TestDatabase.remove(folder.url)
        try result.get()
    }

    // MARK: Being there

    var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(configuration.port)") else { throw NotThere() }
            return url
        }
    }

    /// Connections are refused from now on.
    func leave() async throws {
        guard let running else { return }
        self.running = nil
        await running.services.triggerGracefulShutdown()
        try await running.task.value
    }

    func comeBack() async throws {
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        configuration.onListening = { ready.yield($0) }
        let shop = try await ShopApplication(configuration)
        var logger = Logger(label: "rides")
        logger.logLevel = .critical
        let services = ServiceGroup(
            configuration: .init(services: [try shop.application(logger: logger)], logger: logger))
        let task = Task {
            defer { ready.finish() }
            try await services.run()
        }
        running = Running(
            environment: shop.environment, feed: shop.services.rideFeed, services: services, task: task)
        guard let port = await ports.first(where: { _ in true }) else { throw NotThere() }
        configuration.port = port
    }

    // MARK: Who uses it

    /// A device on which nobody is signed in.
    func device() throws -> KooberModel {
        KooberModel(
            server: try url,
            userSessionDataStore: CodedUserSessionDataStore(bytes: MemorySessionStore(), coder: UserSessionJSONCoder()))
    }

    /// The SDK on another device.
    func elsewhere() throws -> PouchClient { PouchClient(server: try url) }

    // MARK: The city

    func add(_ kangaroos: [DriverRecord]) async throws {
        try await read { environment, _ in try await environment.store.write { try $0.drivers.insert(kangaroos) } }
    }

    /// They have something else to do.
    func occupy(_ kangaroos: [DriverRecord]) async throws {
        try await read { environment, _ in
            try await environment.store.write { repositories in
                for kangaroo in kangaroos {
                    _ = try repositories.drivers.claim(id: kangaroo.id, rideId: "elsewhere \(kangaroo.id)")
                }
            }
        }
    }

    /// They wait again where they were.
    func release(_ kangaroos: [DriverRecord]) async throws {
        try await read { environment, _ in
            try await environment.store.write { repositories in
                for kangaroo in kangaroos {
                    try repositories.drivers.release(
                        id: kangaroo.id, rideId: "elsewhere \(kangaroo.id)", at: kangaroo.location)
                }
            }
        }
    }

    /// Lets time pass until each ride that is under way has come into another status. Nothing where there is none.
    func timePasses() async throws {
        try await read { [clock] environment, feed in
            let before = try await Self.active(environment)
            while true {
                let now = try await Self.active(environment)
                let isWaitedFor = before.contains { id, statuses in now[id] == statuses }
                guard isWaitedFor, let due = try await environment.store.read({ try $0.rides.nextDue(except: []) })
                else {
                    return
                }
                clock.advance(to: due)
                // The server's own runner may be faster.
                _ = try await City(environment).advance(tell: { await feed.note($0) })
            }
        }
    }

    /// Of each ride that is under way, how many statuses it has been in.
    private static func active(_ environment: DomainEnvironment) async throws -> [String: Int] {
        try await environment.store.read { repositories in
            let ids = try repositories.rides.due(at: .distantFuture, limit: 100).map(\.id)
            return try Dictionary(
                uniqueKeysWithValues: ids.compactMap { id in
                    try repositories.rides.ride(id: id, locking: false).map { (id, $0.history.count) }
                })
        }
    }

    private func read(_ body: (DomainEnvironment, RideFeed) async throws -> Void) async throws {
        guard let running else { throw NotThere() }
        try await body(running.environment, running.feed)
    }

    struct NotThere: Error {}
}
