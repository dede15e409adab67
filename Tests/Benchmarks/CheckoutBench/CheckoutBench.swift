import ShopBenching

/// Measures checkouts and cart writes over HTTP, next to the same transactions without a server, and what a payment
/// provider over HTTP costs.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES. The raw transactions repeat the recorded
/// statements of the server on a copy of its database. The loads alternate. `checkout-bench PART` measures a part alone.
@main
struct CheckoutBench {
    private enum Part: String, CaseIterable { case statements, idle, checkouts, payments, events, carts }

    static func main() async throws {
        let parts = partsToMeasure(Part.self, of: "Measures checkouts and cart writes over HTTP.")
        try await BenchShop.measure { shop in
            for part in parts {
                switch part {
                case .statements: try await shop.run { try await StatementTable.show($0) }
                case .idle: try await IdleServer.show(shop)
                case .checkouts: try await measureCheckouts(shop)
                case .payments: try await measurePayments(shop)
                case .events: try await measureEvents(shop)
                case .carts:
                    let carts = try await CartLoads.Carts(in: shop)
                    try await shop.run { try await CartLoads(running: $0).show(carts) }
                }
            }
        }
    }

    /// Compares checkouts over HTTP with raw ones.
    private static func measureCheckouts(_ shop: BenchShop) async throws {
        let loads: [(goods: BenchShop.Goods, shoppers: Shoppers)] = [
            (.spread, try await shop.addShoppers(.spread)), (.hot, try await shop.addShoppers(.hot)),
        ]
        let raw: any RawCheckouts =
            if let server = ProcessInfo.processInfo.environment["POUCH_TEST_POSTGRES"] {
                try await RawPostgres(copyOf: shop, on: server)
            } else {
                try await RawSQLite(copyOf: shop)
            }
        try await shop.run { running in
            let statements = try await CheckoutStatements(of: running, by: loads[0].shoppers.numbers.upperBound - 1)
            let before = try await raw.books()
            var rates = loads.map { _ in Rates() }
            for round in 0..<BenchShop.rounds {
                for (index, (goods, all)) in loads.enumerated() {
                    let shoppers = all.numbers(ofRound: round)
                    rates[index].append(
                        try await running.checkouts(by: shoppers).perSecond,
                        try await raw.run(statements, by: shoppers, isHot: goods == .hot))
                }
            }
            let books = zip(try await raw.books(), before).map { $0 - $1 }
            guard let count = books.first, count > 0, books.allSatisfy({ $0 == count }) else {
                throw BenchError("the raw transactions left different books than checkouts: \(books)")
            }
            say("Checkouts per second, with payment; medians of \(BenchShop.rounds) alternating rounds")
            say("Raw: the same transactions \(raw.name)\n")
            sayRow("", 20, ["HTTP", "raw", "ratio", "(rounds)"], 10)
            for ((goods, _), rates) in zip(loads, rates) { rates.show(goods.rawValue) }
            say("\nGoal: a ratio of at least \(raw.goal.text(2))\n")
        }
    }

    /// Compares a payment provider in the server's process with one that the server calls over HTTP.
    private static func measurePayments(_ shop: BenchShop) async throws {
        let (first, second) = (try await shop.addShoppers(.spread), try await shop.addShoppers(.spread))
        try await shop.run { inProcess, overHTTP in
            var rates = Rates()
            for round in 0..<BenchShop.rounds {
                rates.append(
                    try await inProcess.checkouts(by: first.numbers(ofRound: round)).perSecond,
                    try await overHTTP.checkouts(by: second.numbers(ofRound: round)).perSecond)
            }
            say("\nCheckouts per second by the place of the payment provider; both servers use one database\n")
            sayRow("", 20, ["in process", "over HTTP", "ratio", "(rounds)"], 12)
            rates.show(first.name, width: 12)
            say("")
        }
    }

    /// Compares a server that stores the events of orders with one that does not.
    private static func measureEvents(_ shop: BenchShop) async throws {
        // More than in the other comparisons, since the difference is smaller than that between two rounds.
        let rounds = 21
        let shoppers = try await shop.addShoppers(.spread, rounds: 2 * rounds)
        say("\nCheckouts with the statement that stores an event, and without it; both encode the event")
        say("Processor time: of all processes of the machine, which changes less than the rate\n")
        try await shop.runWithoutEvents { whole, withoutEvents in
            try await Rates.show(rounds: rounds, ["with", "without"]) { round in
                let result = try await whole.checkouts(by: shoppers.numbers(ofRound: 2 * round))
                return (result.perSecond, result.processorTime)
            } and: { round in
                let result = try await withoutEvents.checkouts(by: shoppers.numbers(ofRound: 2 * round + 1))
                return (result.perSecond, result.processorTime)
            }
        }
        say("\nGoal: a ratio of the rates of at least 0.97\n")
    }
}

extension RunningShop {
    fileprivate func checkouts(by shoppers: Range<Int>) async throws -> Wrk.Result {
        let total = try await total(of: shoppers.lowerBound)
        var requests: [String] = []
        for number in shoppers {
            requests.append(try Self.checkout(token: await token(of: number), for: total, key: "key-\(number)"))
        }
        return try await Wrk.run(requests, to: url, seconds: 2, repeats: false, in: folder)
    }
}
