import ShopBenching

/// Measures the pages of the shop next to constants of the same bytes and next to the API, and checkouts by forms next to
/// those by requests of the API.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES. The loads alternate. `web-bench PART…` measures
/// parts alone.
@main
struct WebBench {
    private enum Part: String, CaseIterable { case statements, bytes, pages, visitors, checkouts }

    static func main() async throws {
        let parts = partsToMeasure(Part.self, of: "Measures the pages of the shop, and checkouts by forms.")
        try await BenchShop.measure { shop in
            let constants = ConstantPages()
            let guests = try await Visitors.Guests(in: shop)
            let checkouts = parts.contains(.checkouts) ? try await CheckoutJourneys(in: shop) : nil
            try await shop.run(preparing: { constants.add(to: $0.router) }) { running in
                let visitors = try await Visitors(guests, in: running)
                for part in parts {
                    switch part {
                    case .statements: try await PageStatements.show(running, visitors)
                    case .bytes: try await PageSizes(running: running, visitors: visitors).show()
                    case .pages: try await PageLoads(running: running, visitors: visitors).show(next: constants)
                    case .visitors: try await PageLoads(running: running, visitors: visitors).showPrivate()
                    case .checkouts: try await checkouts?.show(running, visitors.ticket)
                    }
                }
            }
        }
    }
}
