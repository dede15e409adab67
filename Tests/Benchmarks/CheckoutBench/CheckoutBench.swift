import Benchmarking
import Foundation

/// Measures checkouts and cart writes over HTTP, next to the same transactions without a server, and what a payment
/// provider over HTTP costs.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES. The raw transactions repeat the recorded
/// statements of the server on a copy of its database. The loads alternate. `checkout-bench carts` measures carts alone.
@main
struct CheckoutBench {
    static let rounds = 5
    static let clients = 64

    static func main() async throws {
        try await withTemporaryFolder { try await run(in: $0) }
    }

    private static func run(in folder: URL) async throws {
        let shop = try await BenchShop(in: folder)
        say("\n\(shop.isPostgres ? "PostgreSQL" : "SQLite"), \(clients) clients, \(BenchShop.skus) SKUs\n")
        if CommandLine.arguments.dropFirst().first == "carts" {
            let carts = try await CartLoads.Carts(in: shop)
            try await shop.run { try await CartLoads(running: $0).show(carts) }
        } else {
            try await measureAll(of: shop)
        }
        try await shop.remove()
    }

    private static func measureAll(of shop: BenchShop) async throws {
        let spread = try await shop.addShoppers(.spread)
        let hot = try await shop.addShoppers(.hot)
        let payingInProcess = try await shop.addShoppers(.spread)
        let payingOverHTTP = try await shop.addShoppers(.spread)
        let carts = try await CartLoads.Carts(in: shop)
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
            try await CartLoads(running: running).show(carts)
        }
        try await shop.run { inProcess, overHTTP in
            try await PaymentLoads(inProcess: inProcess, overHTTP: overHTTP)
                .show(inProcess: payingInProcess, overHTTP: payingOverHTTP)
        }
    }
}
