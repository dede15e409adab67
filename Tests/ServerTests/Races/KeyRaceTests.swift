import HummingbirdTesting
import PouchSandbox
import ServerTesting
import Testing

@Suite("A hundred concurrent requests with one idempotency key", .timeLimit(.minutes(5)), .inShop())
struct KeyRaceTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    /// Sends the request a hundred times concurrently.
    ///
    /// - Returns: the response, the same for all requests after retries of `idempotency_key_in_use`.
    private func hundred<Value>(
        _ send: @escaping @Sendable () async throws -> Answered<Value>
    ) async throws -> Answered<Value> {
        let answers = try await parallel(100) { _ in try await patiently(send) }
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(Set(answers.map(\.status)).count == 1)
        #expect(answers.count { $0.replayed == nil } == 1)
        return answers[0]
    }

    @Test(arguments: ["tok_ok", "tok_slow", "tok_declined"])
    func `A checkout has one effect`(card: String) async throws {
        try await guest.fillCart("cap", 2)
        let answer = try await hundred { try await guest.checkout(card, total: 2490, key: "k") }
        #expect(answer.status == (card == "tok_declined" ? 402 : 201))
        #expect(try await shop.reconcile(["cap": 10]).count == (card == "tok_declined" ? 0 : 1))
        try await guest.checkout(card, total: 2491, key: "k").problem(.idempotencyKeyReused)
        try await shop.guest().checkout(card, total: 2490, key: "k").problem(.cartEmpty)
    }

    @Test func `A purchase without the cart has one effect`() async throws {
        let order = try await hundred { try await guest.buyNow("cap", 2, total: 2490, key: "k") }.good()
        #expect(try await shop.reconcile(["cap": 10]).map(\.order.id) == [order.id])
        try await guest.buyNow("cap", 3, total: 3490, key: "k").problem(.idempotencyKeyReused)
        let other = try await shop.guest().buyNow("cap", 2, total: 2490, key: "k")
        #expect(try other.good().id != order.id && other.replayed == nil)
    }

    @Test func `A refund has one effect`() async throws {
        let admin = try await shop.admin()
        let order = try await guest.buyNow("cap", 2, total: 2490).good()
        let refund = try await hundred { try await admin.refund(order.id, amount: 300, key: "k") }.good()
        #expect(refund.amount.amount == 300)
        #expect(try await shop.reconcile(["cap": 10]).map(\.order.payment.refunded.amount) == [300])
        try await admin.refund(order.id, amount: 301, key: "k").problem(.idempotencyKeyReused)
        let other = try await shop.staff(.owner).refund(order.id, amount: 300, key: "k")
        #expect(try other.good().id != refund.id && other.replayed == nil)
    }

    @Test func `Adding units to a cart has one effect`() async throws {
        let cart = try await hundred { try await guest.add("cap", 2, headers: .key("k")) }.good()
        #expect(cart.lines.map(\.quantity) == [2])
        #expect(try await guest.cart().lines.map(\.quantity) == [2])
        try await guest.add("cap", 3, headers: .key("k")).problem(.idempotencyKeyReused)
        #expect(try await shop.guest().add("cap", 2, headers: .key("k")).good().id != cart.id)
    }
}

@Suite("Requests of disconnected clients", .timeLimit(.minutes(5)))
struct AbandonedRequestTests {
    /// The HTTP request of a purchase of one cap.
    private func request(_ caller: Caller, fromCart: Bool, card: String, key: String) throws -> String {
        let (payment, total) = (PaymentMethod.card(token: card), Money(1490, .eur))
        let checkout = CheckoutRequest(paymentMethod: payment, expectedTotal: total, email: "a@example.com")
        let purchase = BuyNowRequest(
            lines: [.cap], address: AddressInput(.sample), methodId: "standard", paymentMethod: payment,
            expectedTotal: total, email: "a@example.com")
        let endpoint = fromCart ? Contract.checkout.endpoint : Contract.buyNow.endpoint
        let body = fromCart ? try checkout.json() : try purchase.json()
        let token = try #require(caller.session?.remoteSession.accessToken)
        return """
            POST \(endpoint.template.path([:])) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(token)\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            \(HeaderName.idempotencyKey): \(key)\r
            \r
            \(String(decoding: body, as: UTF8.self))
            """
    }

    private func buyer(in shop: TestShop) async throws -> Caller {
        let guest = try await shop.guest()
        try await guest.fillCart()
        return guest
    }

    @Test(
        .inShop(
            [.stocked("cap", stock: 10)], setup: .live,
            configure: { $0.sandboxTiming = .init(slow: .seconds(1), lost: .zero) }),
        arguments: [true, false])
    func `A started payment completes after the client disconnects`(fromCart: Bool) async throws {
        let shop = TestShop.current
        let guest = try await buyer(in: shop)
        let connection = try RawConnection(port: #require(shop.client.port))
        try connection.send(try request(guest, fromCart: fromCart, card: "tok_slow", key: "k"))
        // The order may be paid before the test has seen it as pending.
        try await eventually { try await !shop.rows("SELECT 1 FROM orders").isEmpty }
        try connection.close()
        try await eventually { try await guest.orders().map(\.status) == [.paid] }
        #expect(try await guest.cart().lines.count == (fromCart ? 0 : 1))
        try await shop.reconcile(["cap": 10])
    }

    @Test(.inShop([.stocked("cap", stock: 100)]))
    func `Clients disconnecting at any moment have one order or none, and a retry buys once`() async throws {
        let shop = TestShop.current
        let buyers = try await parallel(40) { _ in try await buyer(in: shop) }
        let cards = ["tok_ok", "tok_slow", "tok_declined", "tok_error"]
        try await shop.another(setup: .live) { live in
            let port = try #require(live.client.port)
            _ = try await parallel(40) { number in
                let connection = try RawConnection(port: port)
                let request = try request(
                    buyers[number], fromCart: number % 8 < 4, card: cards[number % 4], key: "k\(number)")
                // Some disconnect in the middle of the request, the others after it.
                try connection.send(String(request.prefix(number % 10 == 0 ? request.count / 2 : request.count)))
                if number.isMultiple(of: 3) { _ = try await live.guest() }
                try connection.close()
            }
        }
        // The server has shut down, so no request is running.
        let bought = Set(try await shop.reconcile(["cap": 100]).map(\.ownerId))
        for (number, buyer) in buyers.enumerated() {
            let orders = try await buyer.orders()
            let cart = try await buyer.cart().lines.map(\.quantity)
            #expect(cart == (number % 8 < 4 && !orders.isEmpty ? [] : [1]))
            #expect(orders.isEmpty || number % 4 < 2)
        }
        let answers = try await parallel(40) { number in
            let (buyer, card, key, email) = (buyers[number], cards[number % 4], "k\(number)", "a@example.com")
            return try await patiently {
                number % 8 < 4
                    ? try await buyer.checkout(card, total: 1490, email: email, key: key)
                    : try await buyer.buyNow(card: card, email: email, key: key)
            }
        }
        #expect(
            answers.enumerated().allSatisfy { number, answer in answer.status == [201, 201, 402, 502][number % 4] })
        let orders = try await shop.reconcile(["cap": 100])
        #expect(orders.count == 20 && Set(orders.map(\.ownerId)).count == 20)
        #expect(bought.isSubset(of: orders.map(\.ownerId)))
    }
}
