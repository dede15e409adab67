import Benchmarking
import Foundation
import Logging
import PouchServer
import ServiceLifecycle

/// What checkouts and cart writes cost, over HTTP, and beside the same transactions without a server, in one run.
///
/// On SQLite, or on the PostgreSQL that POUCH_TEST_POSTGRES names. The raw transactions are those that the server was
/// seen to make, statement by statement, on a copy of its database. The loads take turns.
@main
struct CheckoutBench {
    static let rounds = 5
    static let clients = 64

    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let shop = try await BenchShop(in: folder)
        say("\n\(shop.isPostgres ? "PostgreSQL" : "SQLite"), \(clients) clients, \(BenchShop.skus) SKUs\n")
        let spread = try await shop.addShoppers(.spread)
        let hot = try await shop.addShoppers(.hot)
        let small = try await shop.addCarts(lines: 1)
        let large = try await shop.addCarts(lines: 500)
        let raw: any RawCheckouts =
            if let server = shop.server {
                try await RawPostgres(copyOf: shop, on: server)
            } else {
                try await RawSQLite(copyOf: shop)
            }
        try await shop.run { running in
            try await StatementTable.show(running)
            let statements = try await CheckoutStatements(of: running, by: spread.numbers.upperBound - 1)
            try await CheckoutLoads(running: running, raw: raw, statements: statements)
                .show([(.spread, spread), (.hot, hot)])
            try await CartLoads(running: running).show(small: small, large: large)
        }
        try await shop.remove()
    }
}
