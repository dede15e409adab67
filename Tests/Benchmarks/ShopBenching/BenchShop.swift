import Benchmarking
import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchJSON
import PouchServer
import PouchStorage
import ServerTesting

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

    public enum Goods: String {
        case spread = "over all SKUs"
        case hot = "on one SKU"
    }

    public let folder: URL
    public let address: String
    private let database: TestDatabase
    private var nextNumber = 100_000_000

    /// The PostgreSQL server; nil on SQLite.
    public var server: String? { ProcessInfo.processInfo.environment["POUCH_TEST_POSTGRES"] }
    public var isPostgres: Bool { server != nil }

    public init(in folder: URL) async throws {
        self.folder = folder
        database = try await TestDatabase(in: folder, isFresh: true)
        address = database.text
        let catalogue = folder.appending(path: "catalogue.csv")
        try CardiganFeed(handle: "cardigan", sku: "sku", variants: Self.skus, stock: Self.stock).csv
            .write(to: catalogue, atomically: true, encoding: .utf8)
        let (opened, store, environment) = try await configuration().open()
        let report = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        try await opened.close()
        guard report.variants == Self.skus else { throw BenchError("\(report)") }
    }

    public func remove() async throws {
        try await TestDatabase.remove(folder)
    }

    public func configuration() throws -> ServerConfiguration {
        var configuration = ServerConfiguration(database: try DatabaseAddress(address))
        // All clients have the address of this machine.
        configuration.policy.newSessions = nil
        configuration.dataFolder = folder
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        configuration.instrument = { RecordingDatabase($0) }
        return configuration
    }

    // MARK: Carts

    /// Adds guests with one unit in the cart and a chosen shipping method, enough for a number of rounds.
    public func addShoppers(_ goods: Goods, rounds: Int = BenchShop.rounds) async throws -> Shoppers {
        try await add(
            goods.rawValue, count: Self.shoppersPerRound * rounds, lines: 1,
            sku: goods == .hot ? "0" : "i % \(Self.skus)")
    }

    public func addCarts(_ count: Int = 4 * BenchShop.clients, lines: Int) async throws -> Shoppers {
        try await add(
            lines == 1 ? "1 line" : "\(lines) lines", count: count, lines: lines,
            sku: "(i * 500 + k) % \(Self.skus)")
    }

    /// Adds guests without carts, enough for a number of rounds.
    public func addGuests(rounds: Int = BenchShop.rounds) async throws -> Shoppers {
        try await add("new carts", count: Self.shoppersPerRound * rounds, lines: 0, sku: "0")
    }

    private func add(_ name: String, count: Int, lines: Int, sku: String) async throws -> Shoppers {
        let numbers = nextNumber..<nextNumber + count
        nextNumber = numbers.upperBound
        let address = try Address(
            name: "Ada", line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE"
        ).json()
        let guests = """
            WITH RECURSIVE guests (i) AS (
                SELECT CAST(\(numbers.lowerBound) AS BIGINT)
                UNION ALL SELECT i + 1 FROM guests WHERE i < \(numbers.upperBound - 1)
            )
            """
        let now = SQLValue.time(SystemTime().now)
        let database = try DatabaseAddress(self.address).connect()
        try await database.write { connection in
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
                """, [.text(String(decoding: address, as: UTF8.self)), now])
            try connection.run(
                """
                INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
                \(guests), lines (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM lines WHERE k < \(lines))
                SELECT 'ses_' || i, 'sku-' || (\(sku)), k, 1, \(Self.price) FROM guests CROSS JOIN lines
                """, [])
        }
        try await database.close()
        if isPostgres {
            // Otherwise autovacuum would read all of them during the first rounds.
            _ = try await Program.run(
                "psql", ["-Xq", "-d", self.address, "-c", "VACUUM (FREEZE, ANALYZE)", "-c", "CHECKPOINT"])
        }
        return Shoppers(name: name, numbers: numbers)
    }

    // MARK: The server

    /// Serves the shop while the closure runs.
    ///
    /// - Parameter prepare: may add routes to the server.
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
            try await body(
                RunningShop(url: "http://127.0.0.1:\(port)", services: application.services, folder: folder))
        }
    }
}
