import Foundation
import Logging
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import ServiceLifecycle
import TestDatabase

/// A shop that serves on a port of its own in this process, with enough of everything in stock; and its books.
struct ChaosShop: Sendable {
    static let stock = 1_000_000
    static let skus = ["cap", "scarf", "coat-s", "coat-m"]
    private static let feed =
        "Handle,Title,Type,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price\n"
            + """
            cap,Cap,Hats,Title,Default Title,cap,\(stock),10.00
            scarf,Scarf,Scarves,Title,Default Title,scarf,\(stock),42.99
            coat,Coat,Coats,Size,S,coat-s,\(stock),129.00
            coat,,,,M,coat-m,\(stock),129.00

            """

    let port: Int
    private let database: DatabaseAddress
    private let ledger: DatabaseAddress

    /// - Parameter folder: where its files may be put.
    static func running<Value: Sendable>(
        in folder: URL, _ body: @Sendable (ChaosShop) async throws -> Value
    ) async throws -> Value {
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
        configuration.dataFolder = folder
        configuration.port = 0
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        configuration.settlementInterval = .milliseconds(50)
        configuration.onListening = { ready.yield($0) }
        let file = folder.appending(path: "feed.csv")
        try feed.write(to: file, atomically: true, encoding: .utf8)
        let (database, store, environment) = try await configuration.open()
        _ = try await ImportService(environment, store: store).run(FeedFormat.shopifyCSV.reader(at: file, currency: .eur))
        try await database.close()

        var logger = Logger(label: "shop")
        logger.logLevel = .critical
        let application = try await ShopApplication(configuration).application(logger: logger)
        let services = ServiceGroup(configuration: .init(services: [application], logger: logger))
        let (address, ledger) = (configuration.database, DatabaseAddress(path: configuration.sandboxLedgerPath))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(ChaosShop(port: port, database: address, ledger: ledger)))
            } catch { result = .failure(error) }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
            return try result.get()
        }
    }

    /// What is wrong between orders, charges and stock, once nothing is under way any more.
    func violations(orders: Int) async throws -> [String] {
        var wrong: [String] = []
        func check(_ holds: Bool, _ text: String) {
            if !holds { wrong.append(text) }
        }
        let shop = try database.connect()
        let (found, stock, sold) = try await shop.read { connection in
            (
                try connection.rows("SELECT COUNT(*) FROM orders WHERE status = 'paid'", []).first?.int(0) ?? 0,
                try connection.rows("SELECT SUM(on_hand), SUM(held) FROM stock", []).map {
                    (try $0.int(0), try $0.int(1))
                },
                try connection.rows("SELECT COUNT(*) FROM orders WHERE status <> 'paid'", []).first?.int(0) ?? 0
            )
        }
        try await shop.close()
        let provider = try ledger.connect()
        let charges = try await provider.read { connection in
            try connection.rows("SELECT COUNT(*) FROM charges WHERE captured > 0", []).first?.int(0) ?? 0
        }
        try await provider.close()
        check(found == orders, "there are \(found) paid orders, and \(orders) were acknowledged")
        check(sold == 0, "\(sold) orders are not paid")
        check(charges == orders, "there are \(charges) charges for \(orders) orders")
        check(stock.first?.1 == 0, "\(stock.first?.1 ?? -1) units are still held")
        return wrong
    }
}
