import PouchContract
import PouchDomain
import PouchEntities
import PouchSandbox
import PouchServer
import PouchWire
import Testing

@Suite("Paying for a cart")
struct CardTests {
    /// A guest with a cap in the cart, and shipping chosen.
    private func shopper(_ shop: TestShop) async throws -> Caller {
        let guest = try await shop.guest()
        try await guest.add("cap", 2).good()
        try await guest.ship().good()
        return guest
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["tok_ok", "tok_slow"])
    func `A good card makes an order, takes the units and empties the cart`(card: String) async throws {
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
    func `A declined card leaves everything as it was, and another card goes`(card: String, reason: String) async throws
    {
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

    @Test func `A provider that fails charges nothing, and the same key may try again`() async throws {
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

    @Test(.timeLimit(.minutes(1)))
    func `A lost answer gives a pending order that holds its units, and is settled as paid`() async throws {
        try await TestShop.open { shop in
            let guest = try await shopper(shop)
            let key = Caller.key()
            let answer = try await guest.checkout("tok_lost", total: 2490, key: key)
            let order = try answer.good()
            #expect(order.status == .pending && order.payment.status == .pending)
            #expect(try await shop.available("cap") == 8)
            #expect(try await guest.cart().lines == [])
            try await guest.call(Contract.cancelOrder, path: ["id": order.id]).problem(.notCancellable)

            shop.clock.advance(by: OrderSettlement.patience + 1)
            try await eventually { try await guest.order(id: order.id).status == .paid }
            let settled = try await guest.order(id: order.id)
            #expect(settled.payment.status == .captured && settled.history.map(\.status) == [.pending, .paid])
            #expect(try await shop.available("cap") == 8)
            // The key gives what was answered first.
            let again = try await guest.checkout("tok_lost", total: 2490, key: key)
            #expect(again.body == answer.body)
        }
    }

    @Test func `What was added while a slow card was charged stays in the cart`() async throws {
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

    @Test func `A client that goes away does not stop what was begun`() async throws {
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
