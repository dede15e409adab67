import ServerTesting
import Testing

/// Checkouts that a scripted provider interrupts between two steps.
@Suite("Settlement of interrupted checkouts", .timeLimit(.minutes(5)), .atDesk())
struct SettlementTests {
    private let desk: SettlementDesk

    init() async throws { desk = try await SettlementDesk(.current) }

    @Test func `A charged order becomes paid once, also in concurrent settlements`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
        let order = try await desk.pay()
        #expect(order.status == .pending)
        #expect(try await desk.settlement.settleAll() == 0)
        desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
        let settled = try await parallel(6) { _ in try await desk.settlement.settleAll() }
        #expect(settled.contains(1))
        #expect(try await desk.settlement.settleAll() == 0)
        #expect(try await desk.guest.order(id: order.id).history.map(\.status) == [.pending, .paid])
        #expect(try await desk.stock("cap") == [8, 0])
    }

    @Test func `An order that the provider never received is cancelled; stock and cart are restored`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.voided))
        let order = try await desk.pay()
        #expect(try await desk.stock("cap") == [10, 2])
        try await desk.guest.add("scarf-s").good()
        desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
        _ = try await desk.settlement.settleAll()
        let settled = try await desk.guest.order(id: order.id)
        #expect(settled.status == .cancelled && settled.payment.status == .failed)
        #expect(try await desk.stock("cap") == [10, 0])
        let cart = try await desk.guest.cart()
        #expect(Set(cart.lines.map(\.sku)) == ["cap", "scarf-s"])
        #expect(cart.shipping?.methodId == "standard")
    }

    @Test func `An order stays pending during an outage of the provider, and is settled afterwards`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .failure(.noAnswer))
        let order = try await desk.pay()
        desk.shop.clock.advance(by: 300)
        #expect(try await desk.settlement.settleAll() == 0)
        #expect(try await desk.guest.order(id: order.id).status == .pending)
        await desk.provider.script(settle: .success(.captured))
        #expect(try await desk.settlement.settleAll() == 1)
        #expect(try await desk.guest.order(id: order.id).status == .paid)
    }

    @Test func `In an outage of the provider a repeated key is replayed, a new purchase is refused`() async throws {
        let order = try await desk.buy("cap", total: 1490, key: "1")
        await desk.provider.script(isAway: true)
        #expect(try await desk.buy("cap", total: 1490, key: "1").id == order.id)
        await #expect(throws: DomainError.paymentProviderFailed) { try await desk.buy("cap", total: 1490, key: "2") }
        #expect(try await desk.stock("cap") == [9, 0])
    }

    @Test func `Orders of another ledger are not settled`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
        let order = try await desk.pay()
        desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
        let stranger = ScriptedPayments(ledgerId: "another")
        await stranger.script(settle: .success(.voided))
        #expect(try await desk.settlement(with: stranger).settleAll() == 0)
        #expect(try await desk.guest.order(id: order.id).status == .pending)
    }

    // MARK: Failures

    @Test func `An order with inconsistent stock is reported and does not delay later orders`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
        let damaged = try await desk.buy("cap", total: 1490, key: "1")
        let later = try await desk.buy("scarf-s", total: 2990, key: "2")
        try await desk.shop.database { try $0.script("UPDATE stock SET held = 0 WHERE sku = 'cap'") }
        desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
        #expect(try await desk.settle() == .init(settled: 1, reported: [damaged.id]))
        #expect(try await desk.guest.order(id: later.id).status == .paid)
        #expect(try await desk.guest.order(id: damaged.id).status == .pending)
        #expect(try await desk.settle() == .init(settled: 0, reported: [damaged.id]))
        try await desk.shop.database { try $0.script("UPDATE stock SET held = 1 WHERE sku = 'cap'") }
        #expect(try await desk.settle() == .init(settled: 1, reported: []))
        #expect(try await desk.stock("cap") == [9, 0])
    }

    @Test(arguments: [PaymentProviderError.failed, .noAnswer])
    func `A failed refund leaves the payment captured, and is made later`(error: PaymentProviderError) async throws {
        await desk.provider.script(charge: .success(.captured), refund: .failure(error))
        let order = try await desk.pay()
        _ = try await desk.cancel(order)
        #expect(try await desk.settle() == .init(settled: 0, reported: [order.id]))
        let cancelled = try await desk.guest.order(id: order.id)
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
        #expect(cancelled.payment.refunded == .zero(.eur))
        await desk.provider.script(refund: .success(()))
        #expect(try await desk.settlement.settleAll() == 1)
        let refunded = try await desk.guest.order(id: order.id)
        #expect(refunded.payment.status == .refunded && refunded.payment.refunded == order.totals.total)
        #expect(try await desk.settlement.settleAll() == 0)
        #expect(try await desk.stock("cap") == [10, 0])
    }

    @Test func `A charge is refunded only by the provider with its ledger`() async throws {
        await desk.provider.script(charge: .success(.captured))
        let order = try await desk.pay()
        let stranger = ScriptedPayments(ledgerId: "another")
        let cancelled = try await desk.cancel(order, with: desk.checkout(with: stranger))
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
        #expect(try await desk.stock("cap") == [10, 0])
        #expect(try await desk.settle(with: stranger) == .init(settled: 0, reported: []))
        #expect(try await desk.guest.order(id: order.id).payment.status == .captured)
        #expect(try await desk.settle() == .init(settled: 1, reported: []))
        #expect(try await desk.guest.order(id: order.id).payment.status == .refunded)
    }

    @Test func `A charge that the sandbox does not know is not reported as refunded`() async throws {
        let order = try await desk.guest.buyNow().good()
        try await desk.shop.database { try $0.script("UPDATE orders SET payment_id = 'pay_unknown'") }
        let cancelled = try await desk.guest.cancel(order.id).good()
        #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
        #expect(cancelled.payment.refunded == .zero(.eur))
    }

    // MARK: Many orders

    @Test(.atDesk([.stocked("cap", stock: 200)]))
    func `Fifteen orders whose answers the provider delays do not delay the others`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
        // More than one page of them.
        for number in 0..<120 { _ = try await desk.buy("cap", total: 1490, key: "\(number)") }
        desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
        await desk.provider.delay(15)
        async let settled = desk.settlement.settleAll()
        try await eventually { try await desk.shop.rows("SELECT 1 FROM orders WHERE status = 'paid'").count == 105 }
        await desk.provider.release()
        #expect(try await settled == 120)
    }

    @Test(.atDesk([.stocked("cap", stock: 500), .stocked("hat")]))
    func `Every failing order is tried once a round, and later orders are settled`() async throws {
        await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
        let stuck = try await parallel(210) { try await desk.buy("cap", total: 1490, key: "\($0)").id }
        try await desk.shop.database { try $0.script("UPDATE stock SET held = 0 WHERE sku = 'cap'") }
        let later = try await desk.buy("hat", total: 1490, key: "later")
        desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
        let round = try await desk.settle()
        #expect(round.settled == 1)
        #expect(round.reported.sorted() == stuck.sorted())
        #expect(try await desk.guest.order(id: later.id).status == .paid)
    }
}
