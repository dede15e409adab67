import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchStorage
import Testing

/// Checkouts that a scripted provider interrupts between two steps.
@Suite("Settlement of interrupted checkouts", .timeLimit(.minutes(5)))
struct SettlementTests {
    @Test func `A charged order becomes paid once, also in concurrent settlements`() async throws {
        try await SettlementDesk.open { desk in
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
    }

    @Test func `An order that the provider never received is cancelled, and stock and cart are restored`() async throws
    {
        try await SettlementDesk.open { desk in
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
    }

    @Test func `An order stays pending during an outage of the provider, and is settled afterwards`() async throws {
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

    @Test func `Fifteen orders whose answers the provider delays do not delay the others`() async throws {
        try await SettlementDesk.open([.stocked("cap", stock: 200)]) { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            // More than one page of them.
            for number in 0..<120 { _ = try await desk.buy("cap", total: 1490, key: "\(number)") }
            desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
            let provider = DelayedPayments(desk.provider, delays: 15)
            async let settled = desk.settlement(with: provider).settleAll()
            try await eventually {
                try await desk.shop.rows("SELECT 1 FROM orders WHERE status = 'paid'").count == 105
            }
            await provider.release()
            #expect(try await settled == 120)
        }
    }

    @Test func `A cancelled order with a failed refund is refunded later`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured), refund: .failure(.noAnswer))
            let order = try await desk.pay()
            let answered = try await desk.checkout.cancel(
                orderId: order.id, of: desk.principal, ifMatch: nil, request: nil)
            let cancelled = try Order(json: answered.body)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            await desk.provider.script(refund: .success(()))
            #expect(try await desk.settlement.settleAll() == 1)
            let refunded = try await desk.guest.order(id: order.id)
            #expect(refunded.payment.status == .refunded && refunded.payment.refunded == order.totals.total)
            #expect(try await desk.settlement.settleAll() == 0)
            #expect(try await desk.stock("cap") == [10, 0])
        }
    }

    @Test func `During an outage of the provider a repeated key is replayed, and a new purchase is refused`()
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

    @Test func `Orders of another ledger are not settled`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let order = try await desk.pay()
            desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
            let stranger = ScriptedPayments(ledgerId: "another")
            await stranger.script(settle: .success(.voided))
            let other = OrderSettlement(
                desk.shop.environment, carts: desk.shop.services.carts, payments: stranger,
                encode: StoredAnswer.init(outcome:))
            #expect(try await other.settleAll() == 0)
            #expect(try await desk.guest.order(id: order.id).status == .pending)
        }
    }
}

@Suite("Failures of the settlement", .timeLimit(.minutes(5)))
struct SettlementFailureTests {
    @Test func `An order with inconsistent stock is reported and does not delay later orders`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let damaged = try await desk.buy("cap", total: 1490, key: "1")
            desk.shop.clock.advance(by: 1)
            let later = try await desk.buy("scarf-s", total: 2990, key: "2")
            try await desk.shop.database { try $0.script("UPDATE stock SET held = 0 WHERE sku = 'cap'") }
            desk.shop.clock.advance(by: OrderSettlement.gracePeriod)

            let first = try await desk.settle()
            #expect(first.settled == 1 && first.reported == [damaged.id])
            #expect(try await desk.guest.order(id: later.id).status == .paid)
            #expect(try await desk.guest.order(id: damaged.id).status == .pending)
            let second = try await desk.settle()
            #expect(second.settled == 0 && second.reported == [damaged.id])

            try await desk.shop.database { try $0.script("UPDATE stock SET held = 1 WHERE sku = 'cap'") }
            let third = try await desk.settle()
            #expect(third.settled == 1 && third.reported == [])
            #expect(try await desk.stock("cap") == [9, 0])
        }
    }

    @Test func `Every failing order is tried once a round, and later orders are settled`() async throws {
        try await SettlementDesk.open([.stocked("cap", stock: 500), .stocked("hat")]) { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let stuck = try await parallel(210) { try await desk.buy("cap", total: 1490, key: "\($0)").id }
            try await desk.shop.database { try $0.script("UPDATE stock SET held = 0 WHERE sku = 'cap'") }
            desk.shop.clock.advance(by: 1)
            let later = try await desk.buy("hat", total: 1490, key: "later")
            desk.shop.clock.advance(by: OrderSettlement.gracePeriod)
            let round = try await desk.settle()
            #expect(round.settled == 1)
            #expect(round.reported.sorted() == stuck.sorted())
            #expect(try await desk.guest.order(id: later.id).status == .paid)
        }
    }

    @Test(arguments: [PaymentProviderError.failed, .noAnswer])
    func `A failed refund leaves the payment captured`(error: PaymentProviderError) async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured), refund: .failure(error))
            let order = try await desk.pay()
            _ = try await desk.checkout.cancel(orderId: order.id, of: desk.principal, ifMatch: nil, request: nil)
            let round = try await desk.settle()
            #expect(round.settled == 0 && round.reported == [order.id])
            let cancelled = try await desk.guest.order(id: order.id)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            #expect(cancelled.payment.refunded == .zero(.eur))
        }
    }

    @Test func `A charge is refunded only by the provider with its ledger`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured))
            let order = try await desk.pay()
            let stranger = ScriptedPayments(ledgerId: "another")
            let answered = try await desk.checkout(with: stranger).cancel(
                orderId: order.id, of: desk.principal, ifMatch: nil, request: nil)
            let cancelled = try Order(json: answered.body)
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            #expect(try await desk.stock("cap") == [10, 0])

            let strange = try await desk.settle(with: stranger)
            #expect(strange.settled == 0 && strange.reported == [])
            #expect(try await desk.guest.order(id: order.id).payment.status == .captured)
            let own = try await desk.settle()
            #expect(own.settled == 1 && own.reported == [])
            #expect(try await desk.guest.order(id: order.id).payment.status == .refunded)
        }
    }

    @Test func `A charge that the sandbox does not know is not reported as refunded`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.buyNow().good()
            try await shop.database { try $0.script("UPDATE orders SET payment_id = 'pay_unknown'") }
            let cancelled = try await guest.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            #expect(cancelled.payment.refunded == .zero(.eur))
        }
    }
}
