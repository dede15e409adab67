import Benchmarking
import Foundation
import Logging
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchImport
import PouchJSON
import PouchSandbox
import PouchServer
import PouchStorage
import ServerTesting

/// A shop with a catalogue and filled carts, whose server is not running yet.
final class BenchShop {
    static let skus = 10_000
    static let price: Int64 = 2_590
    /// Units of each SKU.
    static let stock = 10_000_000
    /// More carts than a load can buy in one round.
    static let shoppersPerRound = 16_000

    enum Goods: String {
        case spread = "over all SKUs"
        case hot = "on one SKU"
    }

    let folder: URL
    let address: String
    private let database: TestDatabase
    private var nextNumber = 100_000_000

    /// The PostgreSQL server; nil on SQLite.
    var server: String? { ProcessInfo.processInfo.environment["POUCH_TEST_POSTGRES"] }
    var isPostgres: Bool { server != nil }

    init(in folder: URL) async throws {
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

    func remove() async throws {
        try await TestDatabase.remove(folder)
    }

    private func configuration() throws -> ServerConfiguration {
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
    func addShoppers(_ goods: Goods, rounds: Int = CheckoutBench.rounds) async throws -> Shoppers {
        try await add(
            goods.rawValue, count: Self.shoppersPerRound * rounds, lines: 1,
            sku: goods == .hot ? "0" : "i % \(Self.skus)")
    }

    func addCarts(_ count: Int = 4 * CheckoutBench.clients, lines: Int) async throws -> Shoppers {
        try await add(
            lines == 1 ? "1 line" : "\(lines) lines", count: count, lines: lines,
            sku: "(i * 500 + k) % \(Self.skus)")
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
    func run(_ body: @Sendable (RunningShop) async throws -> Void) async throws {
        try await Self.serve(try configuration(), in: folder, body)
    }

    /// Serves the shop by two servers while the closure runs: one with a sandbox provider in its process, and one that
    /// calls another sandbox provider over HTTP, as with `--payments`.
    func run(
        _ body: @Sendable (_ inProcess: RunningShop, _ overHTTP: RunningShop) async throws -> Void
    ) async throws {
        let folder = folder
        let inProcess = try configuration()
        let ledger = try await SandboxLedger(path: folder.appending(path: "payments-over-http.sqlite").path)
        try await withSandbox(ledger, logLevel: .error) { port in
            guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CancellationError() }
            try await Self.serve(inProcess, in: folder) { first in
                var overHTTP = inProcess
                overHTTP.payments = .service(url, key: nil)
                try await Self.serve(overHTTP, in: folder) { try await body(first, $0) }
            }
        }
    }

    /// Serves the shop by two servers while the closure runs, of which the second stores no events.
    func runWithoutEvents(
        _ body: @Sendable (_ whole: RunningShop, _ withoutEvents: RunningShop) async throws -> Void
    ) async throws {
        let (folder, whole) = (folder, try configuration())
        try await Self.serve(whole, in: folder) { first in
            var withoutEvents = whole
            withoutEvents.instrument = { EventlessDatabase($0) }
            try await Self.serve(withoutEvents, in: folder) { try await body(first, $0) }
        }
    }

    private static func serve(
        _ configuration: ServerConfiguration, in folder: URL, _ body: @Sendable (RunningShop) async throws -> Void
    ) async throws {
        try await withServer(configuration, logLevel: .error) { application, port in
            try await body(
                RunningShop(url: "http://127.0.0.1:\(port)", services: application.services, folder: folder))
        }
    }
}

// MARK: - The running shop

/// Guests with filled carts, by number. The session of number 100000001 is `ses_100000001`.
struct Shoppers: Sendable {
    let name: String
    let numbers: Range<Int>

    func numbers(ofRound round: Int) -> Range<Int> {
        let first = numbers.lowerBound + round * BenchShop.shoppersPerRound
        return first..<first + BenchShop.shoppersPerRound
    }

    static func ownerId(_ number: Int) -> String { "ses_\(number)" }

    static func session(_ number: Int) -> SessionRecord {
        SessionRecord(id: ownerId(number), kind: .guest, accountId: nil, email: nil, createdAt: SystemTime().now)
    }
}

/// A running server of a `BenchShop`.
struct RunningShop: Sendable {
    let url: String
    let services: ShopServices
    let folder: URL

    /// Returns the total of a shopper's cart.
    func total(of number: Int) async throws -> Money {
        let carts = services.carts
        return try await services.store.read {
            try carts.cart(Shoppers.session(number).principal, in: $0).cart.totals.total
        }
    }

    /// Returns the text of a whole HTTP request.
    func request(
        _ method: String, _ path: String, by number: Int, _ body: some JSONCodable, headers: [String: String] = [:]
    ) async throws -> String {
        let token = try await services.accessTokens.issue(
            for: Shoppers.session(number), expiresAt: services.environment.time.now.addingTimeInterval(3_600))
        let body = String(decoding: try body.json(), as: UTF8.self)
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer \(token)"]
            + ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
            + headers.map { "\($0): \($1)" }
        return (lines + ["", body]).joined(separator: "\r\n")
    }
}
