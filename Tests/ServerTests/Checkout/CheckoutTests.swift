import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchSandbox
import PouchServer
import PouchWire
import Testing

@Suite("Paying for a cart")
struct CardTests {
    /// A guest with two caps in the cart, and shipping chosen.
    private func shopper(_ shop: TestShop) async throws -> Caller {
        let guest = try await shop.guest()
        try await guest.add("cap", 2).good()
        try await guest.ship().good()
        return guest
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["tok_ok", "tok_slow"])
    func `A successful payment places the order, reduces the stock and empties the cart`(card: String) async throws {
        try await TestShop.open { shop in
            let guest = try await shopper(shop)
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
    }

    @Test(arguments: [
        ("tok_declined", "card_declined"), ("tok_insufficient_funds", "insufficient_funds"),
        ("tok_nonsense", "unknown_card"),
        ("", "unknown_card"),
    ])
    func `A declined card changes nothing, and another card succeeds`(card: String, reason: String) async throws {
        try await TestShop.open { shop in
            let guest = try await shopper(shop)
            let key = Caller.key()
            let declined = try await guest.checkout(card, total: 2490, key: key)
            #expect(try declined.problem(.paymentDeclined).declineCode == reason)
            try await expectUntouched(shop, guest)

            let again = try await guest.checkout(card, total: 2490, key: key)
            #expect(again.status == 402 && again.body == declined.body)
            #expect(again.header("Content-Type") == Problem.mediaType)
            #expect(again.header(HeaderName.idempotentReplayed) == "true")
            try await guest.checkout().good()
        }
    }

    @Test func `A provider error changes nothing, and the same key can be retried`() async throws {
        try await TestShop.open { shop in
            let guest = try await shopper(shop)
            let key = Caller.key()
            try await guest.checkout("tok_error", total: 2490, key: key).problem(.paymentProviderError)
            try await expectUntouched(shop, guest)
            let answer = try await guest.checkout(total: 2490, key: key)
            try answer.good()
            #expect(answer.header(HeaderName.idempotentReplayed) == nil)
        }
    }

    private func expectUntouched(_ shop: TestShop, _ guest: Caller) async throws {
        let cart = try await guest.cart()
        #expect(cart.lines.map(\.quantity) == [2] && cart.totals.total == Money(2490, .eur) && cart.changes == [])
        #expect(try await shop.available("cap") == 10)
        #expect(try await guest.call(Contract.orders).good().items == [])
        #expect(try await shop.rows("SELECT 1 FROM orders").isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `A lost provider response leaves a pending order that holds its units, and is settled as paid`() async throws {
        try await TestShop.open { shop in
            let guest = try await shopper(shop)
            let key = Caller.key()
            let answer = try await guest.checkout("tok_lost", total: 2490, key: key)
            let order = try answer.good()
            #expect(order.status == .pending && order.payment.status == .pending)
            #expect(try await shop.available("cap") == 8)
            #expect(try await guest.cart().lines == [])
            try await guest.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)

            shop.clock.advance(by: OrderSettlement.gracePeriod + 1)
            try await eventually { try await guest.order(id: order.id).status == .paid }
            let settled = try await guest.order(id: order.id)
            #expect(settled.payment.status == .captured && settled.history.map(\.status) == [.pending, .paid])
            #expect(try await shop.available("cap") == 8)
            // The key replays the first response.
            let again = try await guest.checkout("tok_lost", total: 2490, key: key)
            #expect(again.body == answer.body)
        }
    }

    @Test func `A line added during a slow payment stays in the cart`() async throws {
        try await TestShop.open(configure: { $0.sandboxTiming = .init(slow: .milliseconds(300), lost: .zero) }) {
            shop in
            let guest = try await shopper(shop)
            async let order = guest.checkout("tok_slow", total: 2490).good()
            try await eventually { try await guest.cart().lines.isEmpty }
            try await guest.add("scarf-s").good()
            #expect(try await order.lines.map(\.sku) == ["cap"])
            #expect(try await guest.cart().lines.map(\.sku) == ["scarf-s"])
        }
    }

    @Test func `A purchase completes after the client disconnects`() async throws {
        try await TestShop.open(configure: { $0.sandboxTiming = .init(slow: .milliseconds(200), lost: .zero) }) {
            shop in
            let guest = try await shopper(shop)
            let request = Task { try await guest.checkout("tok_slow", total: 2490) }
            try await eventually { try await guest.cart().lines.isEmpty }
            request.cancel()
            try await eventually { try await guest.call(Contract.orders).good().items.map(\.status) == [.paid] }
            #expect(try await shop.available("cap") == 8)
        }
    }
}

@Suite("Refused checkouts")
struct CheckoutRefusalTests {
    @Test func `A line that is no longer on sale is neither shown in the cart nor bought`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.add("scarf-s").good()
            try await guest.ship().good()
            let start = shop.clock.now.addingTimeInterval(100)
            try await shop.feed([
                .season(Season(id: "77", name: "Coming", startsAt: start)), .product(.stocked("cap", season: "77")),
            ])
            let cart = try await guest.cart()
            #expect(cart.lines.map(\.sku) == ["scarf-s"])
            let order = try await guest.checkout().good()
            #expect(order.lines.map(\.sku) == ["scarf-s"] && order.totals == cart.totals)
        }
    }

    @Test func `A checkout without lines, shipping, e-mail address or key is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.checkout(total: 0).problem(.cartEmpty)
            try await guest.add("cap").good()
            try await guest.checkout(total: 1000).problem(.shippingRequired)
            try await guest.ship().good()
            try await guest.checkout(email: nil).problem(.emailRequired)
            let problem = try await guest.checkout(email: "nonsense").problem(.validationFailed).problem
            #expect(problem.errors?.map(\.field) == ["email"])
            try await guest.checkout(key: nil).problem(.idempotencyKeyRequired)
            #expect(try await guest.cart().lines.map(\.sku) == ["cap"])
            #expect(try await shop.available("cap") == 10)
            try await guest.checkout().good()
        }
    }

    @Test func `A customer's own e-mail address is used unless the request has another`() async throws {
        try await TestShop.open { shop in
            let customer = try await shop.customer()
            #expect(try await customer.buyNow(email: nil).good().email == "ada@example.com")
            #expect(try await customer.buyNow(email: "Bob@Example.com").good().email == "bob@example.com")
        }
    }

    @Test(arguments: [0, -1490, 1489, 1491, Int64.max, Int64.min])
    func `A checkout with any other total is refused without a charge`(total: Int64) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship().good()
            try await guest.checkout(total: total).problem(.priceChanged)
            try await guest.buyNow(total: total).problem(.priceChanged)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `A total in another currency is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            try await guest.ship().good()
            let body =
                #"{"paymentMethod":{"type":"card","token":"tok_ok"},"expectedTotal":{"amount":1490,"currency":"CURRENCY"},"email":"a@b.de"}"#
            for (currency, code) in [
                ("USD", ProblemCode.priceChanged), ("XXX", .validationFailed), ("eur", .validationFailed),
            ] {
                try await guest.send(
                    "POST", "/v1/cart/checkout", body.replacing("CURRENCY", with: currency),
                    headers: [HeaderName.idempotencyKey: currency]
                ).problem(code)
            }
        }
    }

    @Test func `A checkout reports each line that is sold out by now, and holds nothing`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            for (sku, units) in [("cap", 1), ("scarf-s", 5), ("scarf-m", 2)] { try await guest.add(sku, units).good() }
            try await guest.ship().good()
            _ = try await shop.guest().order("scarf-m", 1)
            _ = try await shop.guest().order("scarf-s", 3)
            let short = try await guest.checkout().problem(.outOfStock).lines
            #expect(Set(short ?? []) == [.init(sku: "scarf-s", available: 2), .init(sku: "scarf-m", available: 1)])
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.cart().lines.count == 3)
        }
    }

    @Test func `A checkout with an outdated cart version is refused`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("cap").good()
            let version = try await guest.ship().good().version
            try await guest.checkout(headers: [HeaderName.ifMatch: "\"\(version - 1)\""]).problem(.versionConflict)
            try await guest.checkout(headers: [HeaderName.ifMatch: "\"\(version)\""]).good()
        }
    }
}
