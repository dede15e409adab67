import ShopBenching

/// Measures quantity changes in small and in large carts, and how long two carts take to merge.
struct CartLoads {
    struct Carts: Sendable {
        let small: Shoppers
        let large: Shoppers
        /// In pairs with the same SKUs, `pairs` apart.
        let merging: [Shoppers]
        /// The address of a PostgreSQL database, which counts what is rolled back.
        let statistics: String?

        init(in shop: BenchShop) async throws {
            statistics = TestDatabase.isPostgres ? shop.address : nil
            small = try await shop.addCarts(lines: 1)
            large = try await shop.addCarts(lines: 500)
            var merging: [Shoppers] = []
            for lines in CartLoads.merged { merging.append(try await shop.addCarts(2 * CartLoads.pairs, lines: lines)) }
            self.merging = merging
        }
    }

    let running: RunningShop

    private static let rounds = 3
    /// The lines of carts that merge.
    fileprivate static let merged = [1, 50, 500]
    /// 500 lines apart times the pairs, the SKUs begin again.
    fileprivate static let pairs = BenchShop.skus / 500

    func show(_ carts: Carts) async throws {
        say("Cart writes: one line gets another quantity; medians of \(Self.rounds) alternating rounds\n")
        sayRow("", 26, ["writes/s", "p50 ms", "p99 ms", "bytes", "µs each"], 10)
        let loads = [(carts.small, true), (carts.large, true), (carts.small, false), (carts.large, false)]
        var results = loads.map { _ in [Wrk.Result]() }
        let before = try await rollbacks(carts.statistics)
        for _ in 0..<Self.rounds {
            for (index, (shoppers, isMinimal)) in loads.enumerated() {
                results[index].append(try await load(shoppers, isMinimal: isMinimal))
            }
        }
        let rates = results.map { $0.map(\.perSecond).median }
        let bytes = results.map { $0.map(\.bytesPerAnswer).median }
        for (index, (shoppers, isMinimal)) in loads.enumerated() {
            let figures = [
                "\(Int(rates[index]))", results[index].map(\.median).median.text(1),
                results[index].map(\.p99).median.text(1), "\(Int(bytes[index]))", (1e6 / rates[index]).text(0),
            ]
            sayRow("\(shoppers.name), \(isMinimal ? "minimal" : "full")", 26, figures, 10)
        }
        say("\nminimal, 500 lines / 1 line: \((rates[0] / rates[1]).text(2)) times as long (goal: at most 2)")
        let each = 1e9 * (1 / rates[3] - 1 / rates[2]) / (bytes[3] - bytes[2])
        say("full: \(each.text(0)) ns for each additional byte of the response")
        if let before, let after = try await rollbacks(carts.statistics) {
            let writes = results.joined().reduce(0) { $0 + $1.requests }
            say("rolled back: \(((after - before) / Double(writes)).text(3)) transactions for each write")
        }
        try await showMerges(carts.merging)
    }

    /// The number of transactions that PostgreSQL has rolled back.
    private func rollbacks(_ address: String?) async throws -> Double? {
        guard let address else { return nil }
        // Sessions report their counts within a second.
        try await Task.sleep(for: .seconds(2))
        let sql = "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()"
        return Double(try await Program.psql(address, sql).trimmingCharacters(in: .newlines))
    }

    /// Signs guests in to accounts whose carts have as many lines of the same SKUs.
    private func showMerges(_ loads: [Shoppers]) async throws {
        say("\nSign-ins that merge two carts, medians of \(Self.pairs), with a cheap password\n")
        sayRow("", 26, ["ms", "µs a line"], 10)
        let (accounts, password) = (running.services.accounts, "correct horse")
        for (shoppers, lines) in zip(loads, Self.merged) {
            var times: [Double] = []
            for first in shoppers.numbers.prefix(Self.pairs) {
                let email = "merger-\(first)@example.com"
                _ = try await accounts.create(name: "Ada", email: email, password: password, role: .customer)
                for (number, isMeasured) in [(first, false), (first + Self.pairs, true)] {
                    let guest = Shoppers.session(number).principal
                    let start = ContinuousClock.now
                    _ = try await accounts.signIn(email: email, password: password, network: email, guest: guest)
                    if isMeasured { times.append(start.elapsedSeconds * 1_000) }
                }
            }
            let figures = [times.median.text(1), (1e3 * times.median / Double(lines)).text(1)]
            sayRow("\(shoppers.name) into as many", 26, figures, 10)
        }
    }

    private func load(_ shoppers: Shoppers, isMinimal: Bool) async throws -> Wrk.Result {
        var requests: [String] = []
        for quantity in [2, 3] {
            for number in shoppers.numbers {
                requests.append(
                    try RunningShop.request(
                        "PUT", "/v1/cart/lines/sku-\((number * 500 + 1) % BenchShop.skus)",
                        token: await running.token(of: number), QuantityRequest(quantity: quantity),
                        headers: isMinimal ? [HeaderName.prefer: "return=minimal"] : [:]))
            }
        }
        return try await Wrk.run(requests, to: running.url, seconds: 2, repeats: true, in: running.folder)
    }
}
