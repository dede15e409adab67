import ShopBenching

/// Measures checkouts and cart writes over HTTP, next to the same transactions without a server, and what a payment
/// provider over HTTP costs.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES. The raw transactions repeat the recorded
/// statements of the server on a copy of its database. The loads alternate. `checkout-bench PART` measures a part alone.
@main
struct CheckoutBench {
    private enum Part: String, CaseIterable {
        case statements, idle, checkouts, payments, events, carts
    }

    static func main() async throws {
        let parts = partsToMeasure(Part.self, of: "Measures checkouts and cart writes over HTTP.")
        try await BenchShop.measure { shop in
            for part in parts {
                switch part {
                case .statements: try await shop.run { try await StatementTable.show($0) }
                case .idle: try await IdleServer.show(shop)
                case .checkouts: try await measureCheckouts(shop)
                case .payments:
                    let shoppers = (try await shop.addShoppers(.spread), try await shop.addShoppers(.spread))
                    try await shop.run { try await PaymentLoads(inProcess: $0, overHTTP: $1).show(shoppers) }
                case .events:
                    let shoppers = try await shop.addShoppers(.spread, rounds: 2 * EventLoads.rounds)
                    try await shop.runWithoutEvents {
                        try await EventLoads(whole: $0, withoutEvents: $1).show(shoppers)
                    }
                case .carts:
                    let carts = try await CartLoads.Carts(in: shop)
                    try await shop.run { try await CartLoads(running: $0).show(carts) }
                }
            }
        }
    }

    private static func measureCheckouts(_ shop: BenchShop) async throws {
        let spread = try await shop.addShoppers(.spread)
        let hot = try await shop.addShoppers(.hot)
        let raw: any RawCheckouts =
            if let server = ProcessInfo.processInfo.environment["POUCH_TEST_POSTGRES"] {
                try await RawPostgres(copyOf: shop, on: server)
            } else {
                try await RawSQLite(copyOf: shop)
            }
        try await shop.run { running in
            let statements = try await CheckoutStatements(of: running, by: spread.numbers.upperBound - 1)
            try await CheckoutLoads(running: running, raw: raw, statements: statements)
                .show([(.spread, spread), (.hot, hot)])
        }
    }
}
