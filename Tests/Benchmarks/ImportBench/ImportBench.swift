import Hummingbird
import ShopBenching
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
        say("\n\(TestDatabase.name): an import into a shop with \(firstSKUs) SKUs")
        say("\(buyers) buyers change a quantity in their carts, \(pause / .milliseconds(1)) ms after each response\n")
        let columns = [
            "feed MB", "seconds", "peak MB", "browsed MB", "publishing", "longest", "cart p99", "cart max", "before",
            "refused",
        ]
        sayRow("variants", 10, columns, 11)
        for size in sizes {
            let outcome = try await ImportedShop.importing(size)
            let times = [
                outcome.publishing, outcome.longestWrite, outcome.during.percentile(99), outcome.during.last ?? 0,
                outcome.before.last ?? 0,
            ]
            let figures = [
                outcome.feedMegabytes.text(1), outcome.seconds.text(1), "\(outcome.peakMegabytes)",
                "\(outcome.readMegabytes)",
            ]
            sayRow("\(size)", 10, figures + times.map { "\($0.text(1)) ms" } + ["\(outcome.refusals)"], 11)
        }
        say(
            """

            seconds: from the first byte sent to `published` (goal for 100000 variants: at most 20)
            peak MB: peak memory of the server during the import; browsed MB: after a customer has searched the catalogue
            publishing: time that the publishing transaction held the writer (goal: at most 250 ms)
            longest: the longest write transaction during the import
            cart p99, cart max: cart writes over HTTP during the import; before: the longest in the seconds before it
            refused: cart writes that were answered with 503
            """)
    }
}

/// The measured server, in its own process.
enum TimedServer {
    static let password = "correct horse"
    static let email = "root@example.com"

    /// Prints its address, and `TIMES` with the publishing and the longest transaction in the end.
    static func run(database: String, folder: URL) async throws {
        let times = TimedDatabase.Times()
        var configuration = ServerConfiguration(database: try DatabaseAddress(database))
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.instrument = { TimedDatabase(database: $0, times: times) }
        configuration.onListening = { port in
            times.reset()
            say("http://127.0.0.1:\(port)")
        }
        try await configuration.importing(
            cardiganFeed(handle: "cap", sku: "cap", variants: ImportBench.firstSKUs), in: folder)
        let (opened, _, environment) = try await configuration.open()
        _ = try await AccountService.administration(environment).create(
            name: "Root", email: email, password: password, role: .admin)
        try await opened.close()
        try await ShopApplication(configuration).application(logger: .bench(.critical)).runService()
        say("TIMES \(times.value.publishing) \(times.value.longest)")
    }
}

/// Measures write transactions, from their first statement until they are durable.
struct TimedDatabase: DatabaseWrapper {
    /// Milliseconds.
    final class Times: Sendable {
        private let taken = Mutex((publishing: 0.0, longest: 0.0))

        var value: (publishing: Double, longest: Double) { taken.withLock { $0 } }
        func reset() { taken.withLock { $0 = (0, 0) } }

        fileprivate func add(_ milliseconds: Double, isPublishing: Bool) {
            taken.withLock {
                $0.longest = max($0.longest, milliseconds)
                if isPublishing { $0.publishing = max($0.publishing, milliseconds) }
            }
        }
    }

    let database: any Database
    let times: Times

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping SQLTransaction<Value>) async throws -> Value {
        let (value, start, isPublishing) = try await database.write(isolation) { connection in
            // The transaction holds the writer from here. If the body runs again, the last time counts.
            let start = ContinuousClock.now
            var isPublishing = false
            let observed = ObservedConnection(connection) { sql, _ in
                if sql.hasPrefix("UPDATE catalog_version SET published") { isPublishing = true }
            }
            return (try body(observed), start, isPublishing)
        }
        times.add(start.elapsedSeconds * 1_000, isPublishing: isPublishing)
        return value
    }
}
