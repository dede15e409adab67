import Hummingbird
import HummingbirdTesting
import Logging
import PouchRides
import PouchSandbox
import ServerTesting
import Synchronization

@testable import PouchDomain
@testable import PouchServer

/// A shop for one test: the whole application on its own database, with a clock that stands still, fast password hashes
/// and short delays for slow cards.
struct TestShop: Sendable {
    let client: any TestClientProtocol
    let environment: DomainEnvironment
    let store: ShopDatabase
    let services: ShopServices
    let clock: SettableClock
    let configuration: ServerConfiguration

    var rideEnvironment: RideEnvironment { RideEnvironment(environment, city: configuration.city) }

    /// A folder for the files of the test.
    var folder: URL { configuration.dataFolder }

    /// - Parameters:
    ///   - products: the stock at the start.
    ///   - setup: `.router` for requests without a socket, `.live` for requests over one TCP connection.
    ///   - logger: gets the server's log, and must store metadata; nil for no log.
    ///   - runsJobs: false for a test that does the work of a job itself. Each job runs at the start, regardless of its
    ///     interval, which on a busy machine can be in the middle of the test.
    static func open(
        _ products: [FeedProduct] = .usual, setup: TestingSetup = .router, logger: Logger? = nil, runsJobs: Bool = true,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @Sendable (TestShop) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            let clock = SettableClock()
            var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
            configuration.dataFolder = folder
            configuration.port = 0
            configuration.city = CitySettings()
            configuration.time = clock
            configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
            configuration.sandboxTiming = .init(slow: .milliseconds(50), lost: .milliseconds(20))
            (configuration.jobInterval, configuration.settlementInterval) = (.milliseconds(50), .milliseconds(50))
            configuration.waitsPatiently()
            configure(&configuration)
            try await open(
                configuration, clock: clock, products, setup: setup, logger: logger, runsJobs: runsJobs, body)
        }
    }

    /// A second server on the same database, with the same clock.
    func another(setup: TestingSetup = .router, _ body: @Sendable (TestShop) async throws -> Void) async throws {
        try await Self.open(configuration, clock: clock, [], setup: setup, logger: nil, runsJobs: true, body)
    }

    private static func open(
        _ configuration: ServerConfiguration, clock: SettableClock, _ products: [FeedProduct], setup: TestingSetup,
        logger: Logger?, runsJobs: Bool, _ body: @Sendable (TestShop) async throws -> Void
    ) async throws {
        var logged = configuration
        logged.instrument = { StatementLog.logging(configuration.instrument($0)) }
        let opened = try await ShopApplication(logged)
        let (environment, store, services) = (opened.environment, opened.store, opened.services)
        var application = try opened.application(logger: logger ?? .silent)
        if !runsJobs { application.services.removeAll { $0 is JobRunner } }
        try await application.test(setup) { client in
            let shop = TestShop(
                client: client, environment: environment, store: store, services: services, clock: clock,
                configuration: configuration)
            if !products.isEmpty {
                try await shop.stock(products)
                clock.advance(by: 1)
            }
            try await body(shop)
        }
    }

    @discardableResult
    func stock(_ products: [FeedProduct]) async throws -> ImportReport {
        try await feed(products.map(FeedRecord.product))
    }

    @discardableResult
    func feed(_ records: [FeedRecord], isDryRun: Bool = false) async throws -> ImportReport {
        let report = try await ImportService(environment, store: store).run(ListedFeed(records), isDryRun: isDryRun)
        // On a busy machine a check may be slow, and readers then go on with the version before.
        if !isDryRun { try await services.catalog.check() }
        return report
    }

    func available(_ sku: String) async throws -> Int? { try await store.available(sku, at: clock.now) }

    /// The units on hand, and how many of them are held.
    func units(_ sku: String) async throws -> [Int] {
        try await rows("SELECT on_hand, held FROM stock WHERE sku = ?", [.text(sku)])
            .flatMap { [try $0.int(0), try $0.int(1)] }
    }

    /// The number of charges that the sandbox captured.
    func charges() async throws -> Int { try await ledger("SELECT key FROM charges WHERE status = 'captured'").count }

    /// Runs SQL on the sandbox's ledger.
    func ledger(_ sql: String) async throws -> [SQLRow] {
        try await DatabaseAddress(path: configuration.sandboxLedgerPath).read { try $0.rows(sql, []) }
    }

    /// Runs SQL over a separate connection.
    func rows(_ sql: String, _ arguments: [SQLValue] = []) async throws -> [SQLRow] {
        try await database { try $0.rows(sql, arguments) }
    }

    func database<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await configuration.database.write(body)
    }
}

extension ShopDatabase {
    /// The units on hand that no order holds.
    func available(_ sku: String, at now: Date) async throws -> Int? {
        try await read { try $0.offers(skus: [sku], at: now)[sku]?.offer.available }
    }
}

extension TestShop {
    /// A signed-in administrator.
    func admin() async throws -> Caller {
        _ = try await services.accounts.create(
            name: "Grace", email: "grace@example.com", password: .password, role: .admin)
        return try await signIn("grace@example.com")
    }
}

extension Logger {
    /// Stores metadata, since Hummingbird reads the request id back from it.
    static var silent: Logger {
        var logger = Logger(label: "test") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .critical
        return logger
    }
}

/// A clock that stands still until a test moves it. It starts on a Thursday morning, 12 November 2026 at 08:00 UTC, so
/// that no test depends on the day or the hour at which it runs. A test with other programs advances it to their time.
final class SettableClock: TimeSource {
    private let time = Mutex(Date(timeIntervalSince1970: 1_794_470_400))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) { time.withLock { $0.addTimeInterval(seconds) } }
}

/// The test setups, as arguments of a test: without a socket, and over TCP.
enum TestingSetupName: CaseIterable {
    case router, live

    var value: TestingSetup { self == .router ? .router : .live }
}

/// A temporary folder, deleted after use together with the databases that were created for it.
enum TemporaryFolder {
    static func use<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await withCleanup({ try await TestDatabase.remove(folder) }) { try await body(folder) }
    }
}
