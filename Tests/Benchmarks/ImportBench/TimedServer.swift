import Benchmarking
import Foundation
import Hummingbird
import Logging
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import ServerTesting
import Synchronization

/// The measured server, in its own process.
enum TimedServer {
    static let password = "correct horse"
    static let email = "root@example.com"

    /// Creates a small shop and serves it until SIGTERM.
    ///
    /// Prints `PORT` with the port, and `TIMES` with the publishing and the longest transaction in the end.
    static func run(database: String, folder: URL) async throws {
        let taken = TimedDatabase.TimesTaken()
        var configuration = ServerConfiguration(database: try DatabaseAddress(database))
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.instrument = { TimedDatabase(database: $0, times: taken) }
        configuration.onListening = { port in
            taken.reset()
            print("PORT \(port)")
            fflush(nil)
        }
        try await prepare(configuration, in: folder)
        var logger = Logger(label: "bench", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        try await ShopApplication(configuration).application(logger: logger).runService()
        print("TIMES \(taken.value.publishing) \(taken.value.longest)")
    }

    private static func prepare(_ configuration: ServerConfiguration, in folder: URL) async throws {
        let catalogue = folder.appending(path: "first.csv")
        try CardiganFeed(handle: "cap", sku: "cap", variants: ImportBench.firstSKUs).csv
            .write(to: catalogue, atomically: true, encoding: .utf8)
        let (database, store, environment) = try await configuration.open()
        _ = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        _ = try await AccountService.administration(environment).create(
            name: "Root", email: email, password: password, role: .admin)
        try await database.close()
    }
}

/// Measures write transactions, from their first statement until they are durable.
struct TimedDatabase: Database {
    /// Milliseconds.
    struct Times: Sendable {
        var publishing = 0.0
        var longest = 0.0
    }

    let database: any Database
    let times: TimesTaken

    final class TimesTaken: Sendable {
        private let times = Mutex(Times())

        var value: Times { times.withLock { $0 } }

        func reset() { times.withLock { $0 = Times() } }

        fileprivate func add(_ duration: Duration, isPublishing: Bool) {
            let milliseconds = duration / .milliseconds(1)
            times.withLock {
                $0.longest = max($0.longest, milliseconds)
                if isPublishing { $0.publishing = max($0.publishing, milliseconds) }
            }
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let (value, start, isPublishing) = try await database.write(isolation) { connection in
            // The transaction holds the writer from here. If the body runs again, the last time counts.
            let start = ContinuousClock.now
            var isPublishing = false
            let observed = ObservedConnection(connection) { sql, _ in
                if sql.hasPrefix("UPDATE catalog_version SET published") { isPublishing = true }
            }
            return (try body(observed), start, isPublishing)
        }
        times.add(.now - start, isPublishing: isPublishing)
        return value
    }

    func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }

    func close() async throws {
        try await database.close()
    }
}
