import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchStorage
import PouchWire
import Testing

/// The steps of a checkout with a provider that the test plays, so that they can be left half-way.
@Suite("Settling what was left half-way", .timeLimit(.minutes(1)))
struct SettlementTests {
    @Test func `An order that was charged becomes paid, once, however often it is settled`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let order = try await desk.pay()
            #expect(order.status == .pending)
            #expect(try await desk.settlement.settleAll() == 0)
            desk.shop.clock.advance(by: OrderSettlement.patience)
            let settled = try await parallel(6) { _ in try await desk.settlement.settleAll() }
            #expect(settled.contains(1))
            #expect(try await desk.settlement.settleAll() == 0)
            #expect(try await desk.guest.order(id: order.id).history.map(\.status) == [.pending, .paid])
            #expect(try await desk.stock("cap") == [8, 0])
        }
    }

    @Test func `An order that the provider never saw is cancelled, and units and cart come back`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.voided))
            let order = try await desk.pay()
            #expect(try await desk.stock("cap") == [10, 2])
            try await desk.guest.add("scarf-s").good()
            desk.shop.clock.advance(by: OrderSettlement.patience)
            _ = try await desk.settlement.settleAll()
            let settled = try await desk.guest.order(id: order.id)
            #expect(settled.status == .cancelled && settled.payment.status == .failed)
            #expect(try await desk.stock("cap") == [10, 0])
            let cart = try await desk.guest.cart()
            #expect(Set(cart.lines.map(\.sku)) == ["cap", "scarf-s"])
            #expect(cart.shipping?.methodId == "standard")
        }
    }

    @Test func `While the provider is away the order waits, and is settled when it is back`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .failure(.noAnswer))
            let order = try await desk.pay()
            desk.shop.clock.advance(by: 300)
            #expect(try await desk.settlement.settleAll() == 0)
            #expect(try await desk.guest.order(id: order.id).status == .pending)
            await desk.provider.script(settle: .success(.captured))
            #expect(try await desk.settlement.settleAll() == 1)
            #expect(try await desk.guest.order(id: order.id).status == .paid)
        }
    }

    @Test func `A cancelled order that could not be refunded is refunded later`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured), refund: .failure(.noAnswer))
            let order = try await desk.pay()
            let answered = try await desk.checkout.cancel(
                orderId: order.id, of: desk.principal, ifMatch: nil, request: nil)
            let cancelled = try WireJSON.decode(Order.self, from: answered.body)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            await desk.provider.script(refund: .success(()))
            #expect(try await desk.settlement.settleAll() == 1)
            let refunded = try await desk.guest.order(id: order.id)
            #expect(refunded.payment.status == .refunded && refunded.payment.refunded == order.totals.total)
            #expect(try await desk.settlement.settleAll() == 0)
            #expect(try await desk.stock("cap") == [10, 0])
        }
    }

    @Test func `While the provider is away, what was answered is answered again, and nothing else is sold`()
        async throws
    {
        try await SettlementDesk.open { desk in
            let order = try await desk.buy("cap", total: 1490, key: "1")
            await desk.provider.script(isAway: true)
            #expect(try await desk.buy("cap", total: 1490, key: "1").id == order.id)
            await #expect(throws: DomainError.paymentProviderFailed) {
                try await desk.buy("cap", total: 1490, key: "2")
            }
            #expect(try await desk.stock("cap") == [9, 0])
        }
    }

    @Test func `Orders of another ledger are left to it`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let order = try await desk.pay()
            desk.shop.clock.advance(by: OrderSettlement.patience)
            let stranger = ScriptedPayments(ledgerId: "another")
            await stranger.script(settle: .success(.voided))
            let other = OrderSettlement(
                desk.shop.environment, carts: desk.shop.services.carts, payments: stranger, encode: StoredAnswer.init(outcome:))
            #expect(try await other.settleAll() == 0)
            #expect(try await desk.guest.order(id: order.id).status == .pending)
        }
    }
}
