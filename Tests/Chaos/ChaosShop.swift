import Foundation
import PouchEntities
import PouchHTTP
import PouchImport
import PouchServer
import PouchStorage
import ServerTesting

/// A shop in this process with plenty of stock, and its books.
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

    /// Serves the shop while the closure runs.
    static func running<Value: Sendable>(
        in folder: URL, _ body: @Sendable (ChaosShop) async throws -> Value
    ) async throws -> Value {
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
        // All clients have the address of this machine.
        configuration.policy.newSessions = nil
        configuration.dataFolder = folder
        configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
        (configuration.jobInterval, configuration.settlementInterval) = (.milliseconds(50), .milliseconds(50))
        let file = folder.appending(path: "feed.csv")
        try feed.write(to: file, atomically: true, encoding: .utf8)
        let (address, ledger) = (configuration.database, DatabaseAddress(path: configuration.sandboxLedgerPath))
        return try await withServer(configuration, importing: FeedFormat.shopifyCSV.reader(at: file, currency: .eur)) {
            try await body(ChaosShop(port: $1, database: address, ledger: ledger))
        }
    }

    /// Compares orders, charges and stock after all shoppers have finished.
    ///
    /// - Parameter orders: The number of orders that the shoppers received.
    /// - Returns: The contradictions.
    func violations(orders: Int) async throws -> [String] {
        var wrong: [String] = []
        func check(_ holds: Bool, _ text: String) {
            if !holds { wrong.append(text) }
        }
        let shop = try database.connect()
        let (found, stock, unpaid) = try await shop.read { connection in
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
        check(found == orders, "the shop has \(found) paid orders, the shoppers received \(orders)")
        check(unpaid == 0, "\(unpaid) orders are not paid")
        check(charges == orders, "the provider has \(charges) charges for \(orders) orders")
        check(stock.first?.1 == 0, "\(stock.first?.1 ?? -1) units are still held")
        return wrong
    }
}
