import ShopBenching

/// Compares checkouts over HTTP with raw ones.
struct CheckoutLoads {
    let running: RunningShop
    let raw: any RawCheckouts
    let statements: CheckoutStatements

    func show(_ loads: [(goods: BenchShop.Goods, shoppers: Shoppers)]) async throws {
        let before = try await raw.books()
        var rates = loads.map { _ in Rates() }
        for round in 0..<BenchShop.rounds {
            for (index, load) in loads.enumerated() {
                let shoppers = load.shoppers.numbers(ofRound: round)
                rates[index].append(
                    try await running.checkouts(by: shoppers).perSecond,
                    try await raw.run(statements, by: shoppers, isHot: load.goods == .hot))
            }
        }
        try await check(since: before)
        say("Checkouts per second, with payment; medians of \(BenchShop.rounds) alternating rounds")
        say("Raw: the same transactions \(raw.name)\n")
        sayRow("", 20, ["HTTP", "raw", "ratio", "(rounds)"], 10)
        for (load, rates) in zip(loads, rates) { rates.show(load.goods.rawValue) }
        say("\nGoal: a ratio of at least \(raw.goal.text(2))\n")
    }

    /// Checks that the raw transactions did the work of checkouts.
    private func check(since before: [Int]) async throws {
        let books = zip(try await raw.books(), before).map { $0 - $1 }
        guard let count = books.first, count > 0, books.allSatisfy({ $0 == count }) else {
            throw BenchError("the raw transactions left different books than checkouts: \(books)")
        }
    }
}

/// Compares a payment provider in the server's process with one that the server calls over HTTP.
struct PaymentLoads {
    let inProcess: RunningShop
    let overHTTP: RunningShop

    func show(_ shoppers: (inProcess: Shoppers, overHTTP: Shoppers)) async throws {
        var rates = Rates()
        for round in 0..<BenchShop.rounds {
            rates.append(
                try await inProcess.checkouts(by: shoppers.inProcess.numbers(ofRound: round)).perSecond,
                try await overHTTP.checkouts(by: shoppers.overHTTP.numbers(ofRound: round)).perSecond)
        }
        say("\nCheckouts per second by the place of the payment provider; both servers use one database\n")
        sayRow("", 20, ["in process", "over HTTP", "ratio", "(rounds)"], 12)
        rates.show(shoppers.inProcess.name, width: 12)
        say("")
    }
}

/// Compares a server that stores the events of orders with one that does not.
struct EventLoads {
    /// More than in the other comparisons, since the difference is smaller than that between two rounds.
    static let rounds = 21

    let whole: RunningShop
    let withoutEvents: RunningShop

    func show(_ shoppers: Shoppers) async throws {
        var (rates, times) = (Rates(), Rates())
        for round in 0..<Self.rounds {
            let (with, without) = try await byTurns(round) {
                try await whole.checkouts(by: shoppers.numbers(ofRound: 2 * round))
            } and: {
                try await withoutEvents.checkouts(by: shoppers.numbers(ofRound: 2 * round + 1))
            }
            rates.append(with.perSecond, without.perSecond)
            times.append(with.processorTime, without.processorTime)
        }
        say("\nCheckouts with the statement that stores an event, and without it; both encode the event")
        say("Processor time: of all processes of the machine, which changes less than the rate\n")
        sayRow("", 20, ["with", "without", "ratio", "(rounds)"], 12)
        rates.show("per second", width: 12)
        times.show("processor, µs", width: 12)
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
