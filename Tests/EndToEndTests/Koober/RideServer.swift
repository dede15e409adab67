import ClientTesting
import Foundation
import KooberClient
import KooberKit
import KooberScenarios
import Logging
import PouchClient
import PouchEntities
import PouchHTTP
import PouchServer
import ServiceLifecycle
import ServerTesting

@testable import PouchDomain
@testable import PouchRides

/// The whole server on TCP for one test, with its own database and city and a clock that stands still.
///
/// It can stop, and start again on the same port.
actor RideServer {
    private struct Running {
        let environment: RideEnvironment
        let feed: RideFeed
        let services: ServiceGroup
        let task: Task<Void, any Error>
    }

    private let clock: SettableClock
    private var configuration: ServerConfiguration
    private var running: Running?

    private init(_ configuration: ServerConfiguration, _ clock: SettableClock) {
        self.configuration = configuration
        self.clock = clock
    }

    /// The city has the calm kangaroos alone.
    static func open(_ body: @Sendable (RideServer) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let clock = SettableClock()
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder.url).address)
        configuration.dataFolder = folder.url
        configuration.port = 0
        configuration.time = clock
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        // A ride ends before the access token of its rider expires.
        configuration.city = CitySettings(speed: 10, kangaroosOfEachSpecies: 0)
        // A heartbeat reports the end of a session.
        configuration.rideHeartbeat = .milliseconds(200)
        configuration.waitsPatiently()
        let server = RideServer(configuration, clock)
        try await withCleanup({
            try await server.leave()
            try await TestDatabase.remove(folder.url)
        }) {
            try await server.comeBack()
            try await server.addKangaroos()
            try await body(server)
        }
    }

    // MARK: Starting and stopping

    var url: URL {
        get throws {
            guard let url = URL(string: "http://127.0.0.1:\(configuration.port)") else { throw Unavailable() }
            return url
        }
    }

    /// Refuses connections from now on.
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
            environment: RideEnvironment(shop.environment, city: configuration.city), feed: shop.services.rideFeed,
            services: services, task: task)
        guard let port = await ports.first(where: { _ in true }) else { throw Unavailable() }
        configuration.port = port
    }

    // MARK: Devices

    /// A device without a session.
    func device() throws -> KooberModel {
        KooberModel(
            server: try url,
            userSessionDataStore: CodedUserSessionDataStore(bytes: MemorySessionStore(), coder: UserSessionJSONCoder()))
    }

    /// The SDK on another device.
    func elsewhere() throws -> Pouch { Pouch(server: try url) }

    // MARK: The city

    private func addKangaroos() async throws {
        try await read { environment, _ in try await environment.domain.store.write { try $0.drivers.insert(.calm) } }
    }

    /// Lets time pass until the status of each ride in progress has changed.
    func timePasses() async throws {
        try await read { [clock] environment, feed in
            let before = try await Self.active(environment)
            while true {
                let now = try await Self.active(environment)
                let isWaitedFor = before.contains { id, statuses in now[id] == statuses }
                guard isWaitedFor,
                    let due = try await environment.domain.store.read({ try $0.rides.nextDue(except: []) })
                else { return }
                clock.advance(to: due)
                // The server's own runner may have done this already.
                _ = try await City(environment).advance(onChange: { await feed.note($0) })
            }
        }
    }

    /// The number of statuses so far of each ride in progress.
    private static func active(_ environment: RideEnvironment) async throws -> [String: Int] {
        try await environment.domain.store.read { repositories in
            let ids = try repositories.rides.due(at: .distantFuture, limit: 100).map(\.id)
            return try Dictionary(
                uniqueKeysWithValues: ids.compactMap { id in
                    try repositories.rides.ride(id: id, locking: false).map { (id, $0.history.count) }
                })
        }
    }

    private func read(_ body: (RideEnvironment, RideFeed) async throws -> Void) async throws {
        guard let running else { throw Unavailable() }
        try await body(running.environment, running.feed)
    }

    struct Unavailable: Error {}
}

/// A device of a real server with the accounts of two riders.
struct ServedRides: KooberService {
    let model: any KooberModelFactory
    let rider = Rider.johnny
    let otherRider = Rider.ada
    private let server: RideServer

    init(_ server: RideServer) async throws {
        self.server = server
        model = try await server.device()
        for rider in [rider, otherRider] { try await server.signUp(rider) }
    }

    func timePasses() async throws { try await server.timePasses() }

    /// The device learns of the end from its next request, which is made here.
    func endSessions(of rider: Rider) async throws {
        try await server.endSessions(of: rider)
        let dataStore = model.makeUserSessionDataStore()
        guard let session = try await dataStore.readUserSession() else { return }
        _ = try? await model.makeNewRideRepository(for: session).activeRide()
    }
}

extension Rider {
    static let johnny = Rider(
        name: "Johnny", email: "johnny@example.org", mobileNumber: "510-736-8754", password: "correct horse")
    static let ada = Rider(name: "Ada", email: "ada@example.org", mobileNumber: "", password: "battery staple")
}

extension RideServer {
    func signUp(_ rider: Rider) async throws {
        try await elsewhere().account.signUp(
            name: rider.name, email: rider.email,
            mobileNumber: rider.mobileNumber.isEmpty ? nil : rider.mobileNumber, password: rider.password)
    }

    /// Changes the password on another device, which ends all other sessions.
    func endSessions(of rider: Rider) async throws {
        let client = try elsewhere()
        try await client.account.signIn(email: rider.email, password: rider.password)
        try await client.account.changePassword(from: rider.password, to: rider.password + ", changed")
    }
}

extension [DriverRecord] {
    /// Kangaroos near the riders that accept and complete every ride, two of each species.
    fileprivate static var calm: [DriverRecord] {
        Species.allCases.flatMap { species in
            (1...2).map { number in
                DriverRecord(
                    id: "drv_\(species.rawValue)_\(number)", name: "Skip \(number)", species: species, temper: .calm,
                    rating: 47, location: .nearRiders)
            }
        }
    }
}

extension GeoPoint {
    /// A kilometre from the fixed location of the riders.
    fileprivate static let nearRiders = GeoPoint(latitude: -33.8598, longitude: 151.2093)
}
