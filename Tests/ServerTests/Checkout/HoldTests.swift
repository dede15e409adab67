import ServerTesting
import Testing

/// A guest's payment for both caps in stock is pending, and other buyers want the caps.
@Suite("Stock held by a payment", .timeLimit(.minutes(5)), .atDesk([.stocked("cap", stock: 2)]))
struct HoldTests {
    private let desk: SettlementDesk
    private let order: Order

    init() async throws {
        desk = try await SettlementDesk(.current)
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
        order = try await desk.pay()
        try #require(order.status == .pending)
    }

    private func settled() async throws -> Order { try await desk.guest.order(id: order.id) }

    @Test func `Held units are unavailable to others until the hold expires`() async throws {
        let other = try await desk.shop.guest()
        desk.shop.clock.advance(by: 599)
        #expect(try await desk.shop.shownCaps() == [0, 0])
        let short = try await other.add("cap").problem(.outOfStock)
        #expect(short.lines == [StockShortfall(sku: "cap", available: 0)])
        desk.shop.clock.advance(by: 1)
        #expect(try await desk.shop.shownCaps().first == 2)
        // The stock in the catalogue may be some seconds old.
        desk.shop.clock.advance(by: 4)
        #expect(try await desk.shop.shownCaps() == [2, 2, 2])
        #expect(try await other.add("cap", 2).good().lines.map(\.available) == [2])
        #expect(try await other.cart().lines.map(\.available) == [2])
        #expect(try await desk.stock("cap") == [2, 2])
    }

    @Test func `The units of an expired hold can be bought, and the late charge is refunded`() async throws {
        desk.shop.clock.advance(by: 600)
        #expect(try await desk.shop.guest().order("cap", 2).status == .paid)
        #expect(try await desk.stock("cap") == [0, 0])
        desk.shop.clock.advance(by: 5)
        #expect(try await desk.shop.shownCaps() == [0, 0])
        #expect(try await desk.settle().reported == [])
        let cancelled = try await settled()
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .refunded)
        #expect(cancelled.payment.refunded == order.totals.total)
        #expect(try await desk.stock("cap") == [0, 0])
        let cart = try await desk.guest.cart()
        #expect(cart.lines.map(\.sku) == ["cap"] && cart.lines.map(\.quantity) == [2])
        #expect(cart.shipping?.methodId == "standard")
        #expect(try await desk.settlement.settleAll() == 0)
    }

    @Test func `The refund of a late charge is retried until the provider accepts it`() async throws {
        desk.shop.clock.advance(by: 600)
        _ = try await desk.shop.guest().order("cap", 2)
        await desk.provider.script(refund: .failure(.noAnswer))
        #expect(try await desk.settle().reported == [order.id])
        let waiting = try await settled()
        #expect(waiting.status == .cancelled && waiting.payment.status == .captured)
        await desk.provider.script(refund: .success(()))
        #expect(try await desk.settle().settled == 1)
        #expect(try await settled().payment.refunded == order.totals.total)
    }

    @Test func `A late charge pays the order when the units are still in stock`() async throws {
        desk.shop.clock.advance(by: 6_000)
        #expect(try await desk.settlement.settleAll() == 1)
        let paid = try await desk.shop.rows("SELECT status FROM orders WHERE id = ?", [.text(order.id)])
        #expect(try paid.map { try $0.text(0) } == ["paid"])
        #expect(try await desk.stock("cap") == [0, 0])
    }

    @Test func `Concurrent buyers of an expired hold's units get exactly the units in stock`() async throws {
        desk.shop.clock.advance(by: 600)
        let buyers = try await parallel(8) { _ in try await desk.shop.guest() }
        let statuses = try await parallel(8) { try await buyers[$0].buyNow().status }
        #expect(statuses.sorted() == [201, 201] + Array(repeating: 409, count: 6))
        #expect(try await desk.stock("cap") == [0, 0])
        _ = try await desk.settle()
        #expect(try await settled().payment.status == .refunded)
        #expect(try await desk.stock("cap") == [0, 0])
    }

    @Test func `Units released with the hold are not released again with the order`() async throws {
        desk.shop.clock.advance(by: 600)
        _ = try await desk.shop.guest().order("cap", 1)
        #expect(try await desk.stock("cap") == [1, 0])
        await desk.provider.script(settle: .success(.voided))
        #expect(try await desk.settlement.settleAll() == 1)
        #expect(try await settled().status == .cancelled)
        #expect(try await desk.stock("cap") == [1, 0])
    }

    @Test func `A refused purchase leaves the expired hold unchanged`() async throws {
        desk.shop.clock.advance(by: 600)
        let short = try await desk.shop.guest().buyNow("cap", 3, total: 3490).problem(.outOfStock)
        #expect(short.lines == [StockShortfall(sku: "cap", available: 2)])
        #expect(try await desk.stock("cap") == [2, 2])
        #expect(try await desk.settlement.settleAll() == 1)
        #expect(try await settled().status == .paid)
        #expect(try await desk.stock("cap") == [0, 0])
    }
}

@Suite("Expired holds of unsettled orders", .timeLimit(.minutes(5)))
struct ExpiredHoldTests {
    private let shop = TestShop.current

    @Test(.atDesk([.stocked("cap", stock: 1)]))
    func `A purchase that a settlement cancelled for lack of stock is refused, also repeated`() async throws {
        let desk = try await SettlementDesk(shop)
        let checkout = desk.checkout(
            with: InterruptedPayments(provider: desk.provider) {
                do {
                    // The charge takes longer than the hold.
                    shop.clock.advance(by: Double(shop.environment.shop.holdMinutes) * 60)
                    try await shop.guest().buyNow("cap").good()
                    #expect(try await desk.settle().settled == 1)
                } catch {
                    Issue.record(error)
                }
            })
        for _ in 0..<2 {
            await #expect {
                _ = try await desk.buy("cap", total: 1490, key: "k", with: checkout)
            } throws: { error in
                if case DomainError.outOfStock = error { true } else { false }
            }
        }
        #expect(try await desk.stock("cap") == [0, 0])
    }

    @Test(
        .inShop([.stocked("cap", stock: 1)]) {
            $0.shop = .init(currency: .eur, country: "DE", shipping: [.flat("standard", 490)], holdMinutes: 1)
        })
    func `The hold lasts as long as the shop's settings say`() async throws {
        _ = try await shop.guest().buyNow(card: "tok_lost")
        // Settlement does not start before its grace period ends, so only the hold keeps the unit until then.
        shop.clock.advance(by: OrderSettlement.gracePeriod - 1)
        #expect(try await shop.shownCaps() == [0, 0])
        #expect(try await shop.rows("SELECT hold_expires_at - created_at FROM orders").first?.int(0) == 60_000)
    }

    @Test(.atDesk([.stocked("cap", stock: 120), .stocked("hat", stock: 1)]))
    func `All expired holds are released, and their orders stay pending`() async throws {
        let desk = try await SettlementDesk(shop)
        await desk.provider.script(charge: .failure(.noAnswer))
        for number in 0..<110 { try await desk.buy("cap", total: 1490, key: "\(number)") }
        let holds = ExpiredHolds(shop.environment)
        shop.clock.advance(by: 599)
        let young = try await desk.buy("hat", total: 1490, key: "young")
        try await holds.release()
        #expect(try await desk.stock("cap") == [120, 110])
        shop.clock.advance(by: 1)
        _ = try await parallel(4) { _ in try await holds.release() }
        #expect(try await desk.stock("cap") == [120, 0])
        #expect(try await desk.stock("hat") == [1, 1])
        #expect(try await shop.rows("SELECT id FROM orders WHERE status = 'pending'").count == 111)
        #expect(try await desk.guest.order(id: young.id).status == .pending)
        #expect(try await shop.available("cap") == 120)
        await desk.provider.script(settle: .success(.captured))
        shop.clock.advance(by: 60)
        #expect(try await desk.settle().settled == 111)
        #expect(try await desk.stock("cap") == [10, 0])
    }

    @Test(.inShop([.stocked("cap", stock: 2)]))
    func `A running server releases expired holds by itself, also of a provider it no longer has`() async throws {
        let desk = try await SettlementDesk(shop, provider: ScriptedPayments(ledgerId: "former"))
        await desk.provider.script(charge: .failure(.noAnswer))
        let order = try await desk.pay()
        #expect(try await desk.stock("cap") == [2, 2])
        shop.clock.advance(by: 600)
        try await eventually { try await desk.stock("cap") == [2, 0] }
        #expect(try await desk.guest.order(id: order.id).status == .pending)
    }
}

extension TestShop {
    /// The available caps according to the availability, the product and the in-stock list.
    fileprivate func shownCaps() async throws -> [Int] {
        let availability = try await anyone.call(Contract.availability, query: "sku=cap").good()
        let product = try await anyone.call(Contract.product, path: ["handle": "cap"]).good()
        let list = try await anyone.call(Contract.products, query: "inStock=true").good()
        return availability.items.map(\.available) + product.variants.map(\.available)
            + list.items.flatMap { $0.variants.map(\.available) }
    }
}
