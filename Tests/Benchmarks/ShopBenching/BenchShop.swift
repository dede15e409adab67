@_exported import Benchmarking
@_exported import PouchRides
@_exported import ServerTesting

/// A shop with a catalogue and filled carts, whose server is not running yet.
public final class BenchShop {
    /// Alternating rounds of each load.
    public static let rounds = 5
    /// Clients at once.
    public static let clients = 64
    public static let skus = 10_000
    public static let price: Int64 = 2_590
    /// Units of each SKU.
    public static let stock = 10_000_000
    /// More carts than a load can buy in one round.
    public static let shoppersPerRound = 16_000

    public enum Goods: String, Sendable {
        case spread = "over all SKUs"
        case hot = "on one SKU"
    }

    public let folder: URL
    public let address: String
    private var nextNumber = 100_000_000

    /// Runs a benchmark with a new shop, after a line about it.
    public static func measure(_ body: @Sendable (BenchShop) async throws -> Void) async throws {
        try await withNewDatabase { database, folder in
            let shop = BenchShop(database, in: folder)
            let feed = cardiganFeed(handle: "cardigan", sku: "sku", variants: skus, stock: stock)
            let report = try await shop.configuration().importing(feed, in: folder)
            guard report.variants == skus else { throw BenchError("\(report)") }
            say("\n\(TestDatabase.name), \(clients) clients, \(skus) SKUs\n")
            try await body(shop)
        }
    }

    private init(_ database: TestDatabase, in folder: URL) {
        self.folder = folder
        address = database.text
    }

    public func configuration() throws -> ServerConfiguration {
        var configuration = ServerConfiguration(database: try DatabaseAddress(address))
        configuration.admitsManyGuests(in: folder)
        configuration.instrument = { RecordingDatabase($0) }
        configuration.city = CitySettings()
        return configuration
    }

    // MARK: Carts

    /// Adds guests with one unit in the cart and a chosen shipping method, enough for a number of rounds.
    public func addShoppers(_ goods: Goods, rounds: Int = BenchShop.rounds) async throws -> Shoppers {
        let sku = goods == .hot ? "0" : "i % \(Self.skus)"
        return try await add(goods.rawValue, count: Self.shoppersPerRound * rounds, lines: 1, sku: sku)
    }

    public func addCarts(_ count: Int = 4 * BenchShop.clients, lines: Int) async throws -> Shoppers {
        let name = lines == 1 ? "1 line" : "\(lines) lines"
        return try await add(name, count: count, lines: lines, sku: "(i * 500 + k) % \(Self.skus)")
    }

    /// Adds guests without carts, enough for all rounds.
    public func addGuests() async throws -> Shoppers {
        try await add("new carts", count: Self.shoppersPerRound * Self.rounds, lines: 0, sku: "0")
    }

    private func add(_ name: String, count: Int, lines: Int, sku: String) async throws -> Shoppers {
        let numbers = nextNumber..<nextNumber + count
        nextNumber = numbers.upperBound
        let address = SQLValue.text(String(decoding: try Address.sample.json(), as: UTF8.self))
        let guests = """
            WITH RECURSIVE guests (i) AS (
                SELECT CAST(\(numbers.lowerBound) AS BIGINT)
                UNION ALL SELECT i + 1 FROM guests WHERE i < \(numbers.upperBound - 1)
            )
            """
        let now = SQLValue.time(SystemTime().now)
        try await DatabaseAddress(self.address).write { connection in
            try connection.run(
                """
                INSERT INTO sessions (id, kind, created_at)
                \(guests) SELECT 'ses_' || i, 'guest', CAST(? AS BIGINT) FROM guests
                """, [now])
            guard lines > 0 else { return }
            try connection.run(
                """
                INSERT INTO carts (owner_id, version, shipping_method_id, shipping_address, changes, updated_at)
                \(guests) SELECT 'ses_' || i, 2, 'standard', CAST(? AS TEXT), '[]', CAST(? AS BIGINT) FROM guests
                """, [address, now])
            try connection.run(
                """
                INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
                \(guests), lines (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM lines WHERE k < \(lines))
                SELECT 'ses_' || i, 'sku-' || (\(sku)), k, 1, \(Self.price) FROM guests CROSS JOIN lines
                """, [])
        }
        // Otherwise autovacuum would read all of them during the first rounds.
        if TestDatabase.isPostgres { try await Program.psql(self.address, "VACUUM (FREEZE, ANALYZE)", "CHECKPOINT") }
        return Shoppers(name: name, numbers: numbers)
    }

    // MARK: The server

    /// Serves the shop, with the routes that `prepare` adds, while the closure runs.
    public func run(
        preparing prepare: @Sendable (ShopApplication) -> Void = { _ in },
        _ body: @Sendable (RunningShop) async throws -> Void
    ) async throws {
        try await Self.serve(try configuration(), in: folder, preparing: prepare, body)
    }

    /// Serves the shop, or one with other settings on the same database, while the closure runs.
    public static func serve(
        _ configuration: ServerConfiguration, in folder: URL,
        preparing prepare: @Sendable (ShopApplication) -> Void = { _ in },
        _ body: @Sendable (RunningShop) async throws -> Void
    ) async throws {
        try await withServer(configuration, preparing: prepare, logLevel: .error) { application, port in
            try await body(RunningShop(url: "http://127.0.0.1:\(port)", services: application.services, folder: folder))
        }
    }
}

// MARK: - Parts of other benchmarks

/// Calls the closure with a new database without a schema and a temporary folder, which are removed afterwards.
public func withNewDatabase<Value: Sendable>(
    _ body: @Sendable (TestDatabase, URL) async throws -> Value
) async throws -> Value {
    try await withTemporaryFolder { folder in
        let database = try await TestDatabase(in: folder, isFresh: true)
        return try await withCleanup({ try await TestDatabase.remove(folder) }) { try await body(database, folder) }
    }
}

extension TestDatabase { public static let name = isPostgres ? "PostgreSQL" : "SQLite" }

extension ServerConfiguration {
    /// Allows many sessions of one machine, which all clients are on, and cheap passwords.
    public mutating func admitsManyGuests(in folder: URL) {
        policy.newSessions = nil
        passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        dataFolder = folder
    }

    /// Imports a catalogue in the form of Shopify before the server starts.
    @discardableResult
    public func importing(_ csv: String, in folder: URL) async throws -> ImportReport {
        let file = folder.appending(path: "catalogue.csv")
        try csv.write(to: file, atomically: true, encoding: .utf8)
        let (database, store, environment) = try await open()
        let report = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: file, currency: .eur))
        try await database.close()
        return report
    }
}
