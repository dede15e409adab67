import Benchmarking
import Foundation
import Logging
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import PouchWire
import ServiceLifecycle
import TestDatabase

/// A shop with a catalogue and filled carts, before its server runs.
final class BenchShop {
    static let skus = 10_000
    static let price: Int64 = 2_590
    /// Units of each.
    static let stock = 10_000_000
    /// Enough that no load comes to their end.
    static let shoppersPerRound = 8_000

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
        try Self.csv().write(to: catalogue, atomically: true, encoding: .utf8)
        let (opened, store, environment) = try await configuration().open()
        let report = try await ImportService(environment, store: store).run(
            FeedFormat.shopifyCSV.reader(at: catalogue, currency: .eur))
        try await opened.close()
        guard report.variants == Self.skus else { throw BenchError("\(report)") }
    }

    func remove() async throws {
        try await TestDatabase.remove(folder)
    }

    private static func csv() -> String {
        var lines = [
            "Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Grams,"
                + "Variant Inventory Qty,Variant Price,Image Src,Image Position"
        ]
        for number in 0..<skus {
            let (product, variant) = number.quotientAndRemainder(dividingBy: 10)
            let head =
                variant == 0
                ? "Cardigan No. \(product),A cardigan of soft wool.,Cardigans,\"wool, knit\",Size" : ",,,,"
            let image = variant == 0 ? "https://example.com/cardigan-\(product).jpg,1" : ","
            lines.append("cardigan-\(product),\(head),S\(variant),sku-\(number),300,\(stock),25.90,\(image)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func configuration() throws -> ServerConfiguration {
        var configuration = ServerConfiguration(database: try DatabaseAddress(address))
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        configuration.instrument = { RecordingDatabase($0) }
        return configuration
    }

    // MARK: Carts

    /// Guests with one unit in the cart and shipping chosen, for all rounds.
    func addShoppers(_ goods: Goods) async throws -> Shoppers {
        try await add(
            goods.rawValue, count: Self.shoppersPerRound * CheckoutBench.rounds, lines: 1,
            sku: goods == .hot ? "0" : "i % \(Self.skus)")
    }

    func addCarts(lines: Int) async throws -> Shoppers {
        try await add(
            lines == 1 ? "1 line" : "\(lines) lines", count: 4 * CheckoutBench.clients, lines: lines,
            sku: "(i * 500 + k) % \(Self.skus)")
    }

    private func add(_ name: String, count: Int, lines: Int, sku: String) async throws -> Shoppers {
        let numbers = nextNumber..<nextNumber + count
        nextNumber = numbers.upperBound
        let address = try WireJSON.encode(
            Address(name: "Ada", line1: "Main Street 1", city: "Berlin", postalCode: "10115", country: "DE"))
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
        return Shoppers(name: name, numbers: numbers)
    }

    // MARK: The server

    /// Runs the server while the body does.
    func run(_ body: @Sendable (RunningShop) async throws -> Void) async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        var configuration = try configuration()
        configuration.onListening = { listening.yield($0) }
        let application = try await ShopApplication(configuration)
        var logger = Logger(label: "bench")
        logger.logLevel = .error
        let services = ServiceGroup(services: [try application.application(logger: logger)], logger: logger)
        let running = Task { try await services.run() }
        guard let port = await ports.first(where: { _ in true }) else { throw BenchError("no port") }
        do {
            try await body(
                RunningShop(url: "http://127.0.0.1:\(port)", services: application.services, folder: folder))
        } catch {
            await services.triggerGracefulShutdown()
            throw error
        }
        await services.triggerGracefulShutdown()
        try await running.value
    }
}
