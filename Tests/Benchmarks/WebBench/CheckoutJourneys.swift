import ShopBenching

/// Compares buyers who send the forms of the pages with buyers who send the requests of the API: each puts one unit into
/// a new cart, names the delivery, and pays.
struct CheckoutJourneys: Sendable {
    /// The most time of an order by forms, as a multiple of that by requests.
    private static let goal = 1.2

    private let byForms: Shoppers
    private let byRequests: Shoppers
    /// A guest whose cart is that of all others, to know its total.
    private let sample: Int
    private let address: String

    init(in shop: BenchShop) async throws {
        byForms = try await shop.addGuests()
        byRequests = try await shop.addGuests()
        sample = try await shop.addCarts(1, lines: 1).numbers.lowerBound
        address = shop.address
    }

    func show(_ running: RunningShop, _ ticket: FormTicket) async throws {
        let total = try await running.total(of: sample)
        say("\nOrders of one line by forms (2 requests) and by the API (3 requests)")
        say("Processor time: of all processes of the machine for each order, of wrk, too\n")
        try await Rates.show(rounds: BenchShop.rounds, ["forms", "API"]) { round in
            var journeys: [[String]] = []
            for number in byForms.numbers(ofRound: round) {
                journeys.append(try await Self.forms(of: number, total, ticket, in: running))
            }
            return try await orders(of: journeys, in: running)
        } and: { round in
            var journeys: [[String]] = []
            for number in byRequests.numbers(ofRound: round) {
                journeys.append(try await Self.requests(of: number, total, in: running))
            }
            return try await orders(of: journeys, in: running)
        }
        say(
            "\nGoal: a ratio of the rates of at least \((1 / Self.goal).text(2)), "
                + "so that an order takes at most \(Self.goal) times as long\n")
    }

    /// The orders of a load, as the database counts them: a form that did not take effect has a page as its answer.
    private func orders(
        of journeys: [[String]], in running: RunningShop
    ) async throws -> (perSecond: Double, processorTime: Double) {
        let before = try await paidOrders()
        let result = try await Wrk.run(journeys: journeys, to: running.url, seconds: 2, in: running.folder)
        let orders = Double(try await paidOrders() - before)
        let expected = result.requests / (journeys.first?.count ?? 1)
        // Those under way at the end have no order yet, or an order without its answer.
        guard abs(Int(orders) - expected) <= BenchShop.clients else {
            throw BenchError("\(Int(orders)) orders of \(result.requests) requests")
        }
        return (orders / result.seconds, result.processorSeconds / orders * 1e6)
    }

    private func paidOrders() async throws -> Int {
        try await DatabaseAddress(address).read {
            try $0.row("SELECT COUNT(*) FROM orders WHERE status = 'paid'", [])?.int(0) ?? 0
        }
    }

    private static func sku(of number: Int) -> String { "sku-\(number % BenchShop.skus)" }

    private static func forms(
        of number: Int, _ total: Money, _ ticket: FormTicket, in running: RunningShop
    ) async throws -> [String] {
        let token = try await running.token(of: number)
        let line = [("key", "line-\(number)"), ("sku", sku(of: number)), ("quantity:int", "1")]
        return [
            RunningShop.form("/cart/lines", token: token, ticket, line),
            RunningShop.form("/checkout", token: token, ticket, fields(total: total, key: "order-\(number)")),
        ]
    }

    /// The fields of the page `/checkout` as a guest fills them in.
    static func fields(total: Money, key: String) -> [(name: String, value: String)] {
        [
            ("key", key), ("email", "ada@example.com"), ("shipping.address.name", "Ada"),
            ("shipping.address.country", "DE"), ("shipping.address.line1", "Main Street 1"),
            ("shipping.address.line2?", ""), ("shipping.address.postalCode", "10115"),
            ("shipping.address.city", "Berlin"), ("shipping.address.region?", ""), ("shipping.address.phone?", ""),
            ("shipping.methodId", "standard"), ("shipping.place?", ""), ("paymentMethod.type", "card"),
            ("paymentMethod.token", "tok_ok"), ("expectedTotal:money", total.decimal),
        ]
    }

    private static func requests(of number: Int, _ total: Money, in running: RunningShop) async throws -> [String] {
        let token = try await running.token(of: number)
        let shipping = ShippingRequest(methodId: "standard", address: AddressInput(.sample))
        return [
            try RunningShop.request(
                "POST", "/v1/cart/lines", token: token, LineRequest(sku: sku(of: number), quantity: 1),
                headers: [HeaderName.idempotencyKey: "line-\(number)"]),
            try RunningShop.request("PUT", "/v1/cart/shipping", token: token, shipping),
            try RunningShop.checkout(token: token, for: total, key: "order-\(number)"),
        ]
    }
}
