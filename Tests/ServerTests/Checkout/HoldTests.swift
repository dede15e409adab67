import PouchContract
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import Testing

/// A guest whose payment for two caps is under way, and others who want them.
@Suite("Stock that a payment holds", .timeLimit(.minutes(1)))
struct HoldTests {
    private func open(_ body: @escaping @Sendable (SettlementDesk, _ order: Order) async throws -> Void) async throws {
        try await SettlementDesk.open([.stocked("cap", stock: 2)]) { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let order = try await desk.pay()
            try #require(order.status == .pending)
            try await body(desk, order)
        }
    }

    /// What availability, the product and a list of those in stock tell of the caps.
    private func told(_ shop: TestShop) async throws -> [Int] {
        let availability = try await shop.anyone.call(Contract.availability, query: "sku=cap").good()
        let product = try await shop.anyone.call(Contract.product, path: ["handle": "cap"]).good()
        let list = try await shop.anyone.call(Contract.products, query: "inStock=true").good()
        return availability.items.map(\.available) + product.variants.map(\.available)
            + list.items.flatMap { $0.variants.map(\.available) }
    }

    @Test func `Until the hold expires nobody else gets the units, and from that moment on everybody sees them`()
        async throws
    {
        try await open { desk, _ in
            let other = try await desk.shop.guest()
            desk.shop.clock.advance(by: 599)
            #expect(try await told(desk.shop) == [0, 0])
            let short = try await other.add("cap").problem(.outOfStock)
            #expect(short.lines == [StockShortfall(sku: "cap", available: 0)])
            desk.shop.clock.advance(by: 1)
            #expect(try await told(desk.shop).first == 2)
            // The catalogue's figures may be some seconds old.
            desk.shop.clock.advance(by: 4)
            #expect(try await told(desk.shop) == [2, 2, 2])
            #expect(try await other.add("cap", 2).good().lines.map(\.available) == [2])
            #expect(try await other.cart().lines.map(\.available) == [2])
            #expect(try await desk.stock("cap") == [2, 2])
        }
    }

    @Test func `How long it holds is the shop's to decide`() async throws {
        let standard = ShopSettings.standard()
        let settings = ShopSettings(currency: .eur, country: "DE", shipping: standard.shipping, holdMinutes: 1)
        try await TestShop.open([.stocked("cap", stock: 1)], configure: { $0.shop = settings }) { shop in
            _ = try await shop.guest().buyNow(card: "tok_lost")
            // The settlement of the shop waits for as long as this, so it is the hold alone that keeps the unit.
            shop.clock.advance(by: OrderSettlement.patience - 1)
            #expect(try await told(shop) == [0, 0])
            let expiry = try await shop.rows("SELECT hold_expires_at - created_at FROM orders").first?.int(0)
            #expect(expiry == 60_000)
        }
    }

    @Test func `Who buys the units of an expired hold has them, and the late charge is given back`() async throws {
        try await open { desk, order in
            desk.shop.clock.advance(by: 600)
            let other = try await desk.shop.guest()
            #expect(try await other.order("cap", 2).status == .paid)
            #expect(try await desk.stock("cap") == [0, 0])
            desk.shop.clock.advance(by: 5)
            #expect(try await told(desk.shop) == [0, 0])

            let round = try await desk.settle()
            #expect(round.reported == [])
            let cancelled = try await desk.guest.order(id: order.id)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
            #expect(cancelled.payment.refunded == order.totals.total)
            #expect(try await desk.stock("cap") == [0, 0])
            let cart = try await desk.guest.cart()
            #expect(cart.lines.map(\.sku) == ["cap"] && cart.lines.map(\.quantity) == [2])
            #expect(cart.shipping?.methodId == "standard")
            #expect(try await desk.settlement.settleAll() == 0)
        }
    }

    @Test func `While the provider cannot give the late charge back, it is owed`() async throws {
        try await open { desk, order in
            desk.shop.clock.advance(by: 600)
            _ = try await desk.shop.guest().order("cap", 2)
            await desk.provider.script(refund: .failure(.noAnswer))
            #expect(try await desk.settle().reported == [order.id])
            let waiting = try await desk.guest.order(id: order.id)
            #expect(waiting.status == .cancelled && waiting.payment.status == .captured)
            await desk.provider.script(refund: .success(()))
            #expect(try await desk.settle().settled == 1)
            #expect(try await desk.guest.order(id: order.id).payment.refunded == order.totals.total)
        }
    }

    @Test func `A charge that comes late sells the units where nobody has bought them`() async throws {
        try await open { desk, order in
            desk.shop.clock.advance(by: 6_000)
            #expect(try await desk.settlement.settleAll() == 1)
            let paid = try await desk.shop.rows("SELECT status FROM orders WHERE id = ?", [.text(order.id)])
            #expect(try paid.map { try $0.text(0) } == ["paid"])
            #expect(try await desk.stock("cap") == [0, 0])
        }
    }

    @Test func `Of many who want the units of an expired hold as many get one as there are`() async throws {
        try await open { desk, order in
            desk.shop.clock.advance(by: 600)
            let buyers = try await parallel(8) { _ in try await desk.shop.guest() }
            let statuses = try await parallel(8) { try await buyers[$0].buyNow().status }
            #expect(statuses.sorted() == [201, 201] + Array(repeating: 409, count: 6))
            #expect(try await desk.stock("cap") == [0, 0])
            _ = try await desk.settle()
            #expect(try await desk.guest.order(id: order.id).payment.status == .refunded)
            #expect(try await desk.stock("cap") == [0, 0])
        }
    }

    @Test func `What was given up with the hold is not given up again with the order`() async throws {
        try await open { desk, order in
            desk.shop.clock.advance(by: 600)
            let other = try await desk.shop.guest()
            _ = try await other.order("cap", 1)
            #expect(try await desk.stock("cap") == [1, 0])
            await desk.provider.script(settle: .success(.voided))
            #expect(try await desk.settlement.settleAll() == 1)
            #expect(try await desk.guest.order(id: order.id).status == .cancelled)
            #expect(try await desk.stock("cap") == [1, 0])
        }
    }

    @Test func `Who wants more than there is leaves the expired hold as it was`() async throws {
        try await open { desk, order in
            desk.shop.clock.advance(by: 600)
            let other = try await desk.shop.guest()
            let short = try await other.buyNow("cap", 3, total: 3490).problem(.outOfStock)
            #expect(short.lines == [StockShortfall(sku: "cap", available: 2)])
            #expect(try await desk.stock("cap") == [2, 2])
            #expect(try await desk.settlement.settleAll() == 1)
            #expect(try await desk.guest.order(id: order.id).status == .paid)
            #expect(try await desk.stock("cap") == [0, 0])
        }
    }
}
