import PouchSandbox
import ServerTesting
import Testing

/// The guest has two caps in the cart, and has chosen shipping.
@Suite("Paying for a cart", .timeLimit(.minutes(5)), .inShop())
struct CardTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws {
        guest = try await shop.guest()
        try await guest.fillCart("cap", 2)
    }

    @Test(arguments: ["tok_ok", "tok_slow"])
    func `A successful payment places the order, reduces the stock and empties the cart`(card: String) async throws {
        let answer = try await guest.checkout(card, email: "Guest@Example.com")
        let order = try answer.good()
        #expect(order.status == .paid && order.payment.status == .captured)
        #expect(order.history.map(\.status) == [.pending, .paid])
        #expect(order.id.hasPrefix("ord_") && order.payment.id.hasPrefix("pay_") && order.number == "P-10001")
        #expect(order.lines.map(\.sku) == ["cap"] && order.lines.map(\.quantity) == [2])
        #expect(order.totals.total == Money(2490, .eur) && order.payment.amount == Money(2490, .eur))
        #expect(order.shipping?.address == .sample && order.email == "guest@example.com")
        #expect(answer.etag?.isEmpty == false)
        #expect(try await shop.available("cap") == 8)
        let cart = try await guest.cart()
        #expect(cart.lines == [] && cart.shipping == nil)
        #expect(try await guest.order(id: order.id) == order)
    }

    @Test(arguments: [
        ("tok_declined", "card_declined"), ("tok_insufficient_funds", "insufficient_funds"),
        ("tok_nonsense", "unknown_card"), ("", "unknown_card"),
    ])
    func `A declined card changes nothing, and another card succeeds`(card: String, reason: String) async throws {
        let declined = try await guest.checkout(card, total: 2490, key: "k")
        #expect(try declined.problem(.paymentDeclined).declineCode == reason)
        try await expectUntouched()
        let again = try await guest.checkout(card, total: 2490, key: "k")
        #expect(again.status == 402 && again.body == declined.body)
        #expect(again.header("Content-Type") == Problem.mediaType && again.replayed == "true")
        try await guest.checkout().good()
    }

    @Test func `A provider error changes nothing, and the same key can be retried`() async throws {
        try await guest.checkout("tok_error", total: 2490, key: "k").problem(.paymentProviderError)
        try await expectUntouched()
        let answer = try await guest.checkout(total: 2490, key: "k")
        try answer.good()
        #expect(answer.replayed == nil)
    }

    private func expectUntouched() async throws {
        let cart = try await guest.cart()
        #expect(cart.lines.map(\.quantity) == [2] && cart.totals.total == Money(2490, .eur) && cart.changes == [])
        #expect(try await shop.available("cap") == 10)
        #expect(try await guest.orders() == [])
        #expect(try await shop.rows("SELECT 1 FROM orders").isEmpty)
    }

    @Test func `A lost response leaves a pending order that holds its units, and is settled as paid`() async throws {
        let answer = try await guest.checkout("tok_lost", total: 2490, key: "k")
        let order = try answer.good()
        #expect(order.status == .pending && order.payment.status == .pending)
        #expect(try await shop.available("cap") == 8)
        #expect(try await guest.cart().lines == [])
        try await guest.cancel(order.id).problem(.notCancellable)
        shop.clock.advance(by: OrderSettlement.gracePeriod + 1)
        try await eventually { try await guest.order(id: order.id).status == .paid }
        let settled = try await guest.order(id: order.id)
        #expect(settled.payment.status == .captured && settled.history.map(\.status) == [.pending, .paid])
        #expect(try await shop.available("cap") == 8)
        // The key replays the first response.
        #expect(try await guest.checkout("tok_lost", total: 2490, key: "k").body == answer.body)
    }
}

@Suite("Refused checkouts", .inShop())
struct CheckoutRefusalTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws { guest = try await shop.guest() }

    @Test func `A line that is no longer on sale is neither shown in the cart nor bought`() async throws {
        try await guest.fillCart()
        try await guest.add("scarf-s").good()
        let start = shop.clock.now.addingTimeInterval(100)
        try await shop.feed([
            .season(Season(id: "77", name: "Coming", startsAt: start)), .product(.stocked("cap", season: "77")),
        ])
        let cart = try await guest.cart()
        #expect(cart.lines.map(\.sku) == ["scarf-s"])
        let order = try await guest.checkout().good()
        #expect(order.lines.map(\.sku) == ["scarf-s"] && order.totals == cart.totals)
    }

    @Test func `A checkout without lines, shipping, e-mail address or key is refused`() async throws {
        try await guest.checkout(total: 0).problem(.cartEmpty)
        try await guest.add("cap").good()
        try await guest.checkout(total: 1000).problem(.shippingRequired)
        try await guest.ship().good()
        try await guest.checkout(email: nil).problem(.emailRequired)
        #expect(try await guest.checkout(email: "nonsense").invalidFields() == ["email"])
        try await guest.checkout(key: nil).problem(.idempotencyKeyRequired)
        #expect(try await guest.cart().lines.map(\.sku) == ["cap"])
        #expect(try await shop.available("cap") == 10)
        try await guest.checkout().good()
    }

    @Test func `A customer's own e-mail address is used unless the request has another`() async throws {
        let customer = try await shop.customer()
        #expect(try await customer.buyNow(email: nil).good().email == "ada@example.com")
        #expect(try await customer.buyNow(email: "Bob@Example.com").good().email == "bob@example.com")
    }

    @Test(arguments: [0, -1490, 1489, 1491, Int64.max, Int64.min])
    func `A checkout with any other total is refused without a charge`(total: Int64) async throws {
        try await guest.fillCart()
        try await guest.checkout(total: total).problem(.priceChanged)
        try await guest.buyNow(total: total).problem(.priceChanged)
        #expect(try await shop.available("cap") == 10)
    }

    @Test(arguments: [("USD", ProblemCode.priceChanged), ("XXX", .validationFailed), ("eur", .validationFailed)])
    func `A total in another currency is refused`(currency: String, code: ProblemCode) async throws {
        try await guest.fillCart()
        let body = """
            {"paymentMethod":{"type":"card","token":"tok_ok"},"email":"a@b.de",
             "expectedTotal":{"amount":1490,"currency":"\(currency)"}}
            """
        try await guest.send("POST", "/v1/cart/checkout", body, headers: .key("k")).problem(code)
    }

    @Test func `A checkout reports each line that is sold out by now, and holds nothing`() async throws {
        for (sku, units) in [("cap", 1), ("scarf-s", 5), ("scarf-m", 2)] { try await guest.add(sku, units).good() }
        try await guest.ship().good()
        _ = try await shop.guest().order("scarf-m", 1)
        _ = try await shop.guest().order("scarf-s", 3)
        let short = try await guest.checkout().problem(.outOfStock).lines
        #expect(Set(short ?? []) == [.init(sku: "scarf-s", available: 2), .init(sku: "scarf-m", available: 1)])
        #expect(try await shop.available("cap") == 10)
        #expect(try await guest.cart().lines.count == 3)
    }

    @Test func `A checkout with an outdated cart version is refused`() async throws {
        try await guest.add("cap").good()
        let version = try await guest.ship().good().version
        try await guest.checkout(headers: .ifMatch("\"\(version - 1)\"")).problem(.versionConflict)
        try await guest.checkout(headers: .ifMatch("\"\(version)\"")).good()
    }
}
