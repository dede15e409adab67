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

/// Measures imports over HTTP and the latency of buyers while an import runs.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES. Each size has a new shop, whose server is
/// another process of this program: `import-bench serve DATABASE FOLDER`.
@main
struct ImportBench {
    /// Variants in stock before an import.
    static let firstSKUs = 1_000
    static let sizes = [10_000, 100_000, 300_000]
    static let buyers = 4
    /// The pause between two writes of one buyer.
    static let pause = Duration.milliseconds(20)

    static func main() async throws {
        let words = wordsOfProgram(
            ["serve": 2...2],
            help: """
                usage: import-bench
                       import-bench serve DATABASE FOLDER   (the server of a measurement)

                Measures imports over HTTP, and the latency of buyers while an import runs. Runs on SQLite, or on the
                PostgreSQL server in POUCH_TEST_POSTGRES.
                """)
        if words.count == 3 {
            return try await TimedServer.run(database: words[1], folder: URL(fileURLWithPath: words[2]))
        }
        print(
            "\n\(ImportedShop.isPostgres ? "PostgreSQL" : "SQLite"): an import into a shop with \(firstSKUs) SKUs")
        print(
            "\(buyers) buyers change a quantity in their carts, \(pause / .milliseconds(1)) ms after each response\n"
        )
        let columns = [
            "feed MB", "seconds", "peak MB", "browsed MB", "publishing", "longest", "cart p99", "cart max", "before",
            "refused",
        ]
        sayRow("variants", 10, columns, 11)
        for size in sizes {
            let outcome = try await ImportedShop.importing(size)
            let figures = [
                String(format: "%.1f", outcome.feedMegabytes), String(format: "%.1f", outcome.seconds),
                "\(outcome.peakMegabytes)", "\(outcome.readMegabytes)", ms(outcome.publishing),
                ms(outcome.longestWrite),
                ms(outcome.during.percentile(99)), ms(outcome.during.last ?? 0), ms(outcome.before.last ?? 0),
                "\(outcome.refusals)",
            ]
            sayRow("\(size)", 10, figures, 11)
        }
        print(
            """

            seconds: from the first byte sent to `published` (goal for 100000 variants: at most 20)
            peak MB: peak memory of the server during the import; browsed MB: after a customer has searched the catalogue
            publishing: time that the publishing transaction held the writer (goal: at most 250 ms)
            longest: the longest write transaction during the import
            cart p99, cart max: cart writes over HTTP during the import; before: the longest in the seconds before it
            refused: cart writes that were answered with 503
            """)
    }

    private static func ms(_ duration: Double) -> String { String(format: "%.1f ms", duration) }
}

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
