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
    private struct Desk {
        let shop: TestShop
        let provider: ScriptedPayments
        let guest: Caller
        let principal: Principal
        var checkout: CheckoutService {
            CheckoutService(
                shop.environment, carts: shop.services.carts, payments: provider, answers: EncodedOrders())
        }
        var settlement: OrderSettlement {
            OrderSettlement(shop.environment, carts: shop.services.carts, payments: provider, answers: EncodedOrders())
        }

        /// Pays for two caps in the guest's cart.
        func pay(key: String = "k") async throws -> Order {
            try await guest.add("cap", 2).good()
            try await guest.ship().good()
            let terms = PaymentTerms(
                method: .card(token: "any"), expectedTotal: Money(2490, .eur), email: "guest@example.com")
            let answered = try await checkout.checkout(
                principal, terms: terms, ifMatch: nil,
                request: .init(ownerId: principal.ownerId, key: key, fingerprint: Data([1])))
            return try WireJSON.decode(Order.self, from: answered.answer.body)
        }
    }

    private func open(_ body: @escaping @Sendable (Desk) async throws -> Void) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let id = try #require(guest.session?.id)
            try await body(
                Desk(
                    shop: shop, provider: ScriptedPayments(), guest: guest,
                    principal: Principal(sessionId: id, kind: .guest, ownerId: id)))
        }
    }

    @Test func `An order that was charged becomes paid, once, however often it is settled`() async throws {
        try await open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let order = try await desk.pay()
            #expect(order.status == .pending)
            #expect(try await desk.settlement.settleAll() == 0)
            desk.shop.clock.advance(by: OrderSettlement.patience)
            let settled = try await parallel(6) { _ in try await desk.settlement.settleAll() }
            #expect(settled.contains(1))
            #expect(try await desk.settlement.settleAll() == 0)
            #expect(try await desk.guest.order(id: order.id).history.map(\.status) == [.pending, .paid])
            #expect(try await stock(desk) == [8, 0])
        }
    }

    @Test func `An order that the provider never saw is cancelled, and units and cart come back`() async throws {
        try await open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.voided))
            let order = try await desk.pay()
            #expect(try await stock(desk) == [10, 2])
            try await desk.guest.add("scarf-s").good()
            desk.shop.clock.advance(by: OrderSettlement.patience)
            _ = try await desk.settlement.settleAll()
            let settled = try await desk.guest.order(id: order.id)
            #expect(settled.status == .cancelled && settled.payment.status == .failed)
            #expect(try await stock(desk) == [10, 0])
            let cart = try await desk.guest.cart()
            #expect(Set(cart.lines.map(\.sku)) == ["cap", "scarf-s"])
            #expect(cart.shipping?.methodId == "standard")
        }
    }

    @Test func `While the provider is away the order waits, and is settled when it is back`() async throws {
        try await open { desk in
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
        try await open { desk in
            await desk.provider.script(charge: .success(.captured), refund: .failure(.noAnswer))
            let order = try await desk.pay()
            let answered = try await desk.checkout.cancel(
                orderId: order.id, of: desk.principal, ifMatch: nil, request: nil)
            let cancelled = try WireJSON.decode(Order.self, from: answered.answer.body)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            await desk.provider.script(refund: .success(()))
            #expect(try await desk.settlement.settleAll() == 1)
            let refunded = try await desk.guest.order(id: order.id)
            #expect(refunded.payment.status == .refunded && refunded.payment.refunded == order.totals.total)
            #expect(try await desk.settlement.settleAll() == 0)
            #expect(try await stock(desk) == [10, 0])
        }
    }

    @Test func `Orders of another ledger are left to it`() async throws {
        try await open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let order = try await desk.pay()
            desk.shop.clock.advance(by: OrderSettlement.patience)
            let stranger = ScriptedPayments(ledgerId: "another")
            await stranger.script(settle: .success(.voided))
            let other = OrderSettlement(
                desk.shop.environment, carts: desk.shop.services.carts, payments: stranger, answers: EncodedOrders())
            #expect(try await other.settleAll() == 0)
            #expect(try await desk.guest.order(id: order.id).status == .pending)
        }
    }

    private func stock(_ desk: Desk) async throws -> [Int] {
        try await desk.shop.rows("SELECT on_hand, held FROM stock WHERE sku = 'cap'").flatMap {
            [try $0.int(0), try $0.int(1)]
        }
    }
}
