import PouchContract
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWire
import Testing

@Suite("Orders that cannot be settled", .timeLimit(.minutes(1)))
struct SettlementFailureTests {
    @Test func `One whose stock is damaged is reported, and does not keep a later one waiting`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let damaged = try await desk.buy("cap", total: 1490, key: "1")
            desk.shop.clock.advance(by: 1)
            let later = try await desk.buy("scarf-s", total: 2990, key: "2")
            try await desk.shop.database { try $0.script("UPDATE stock SET held = 0 WHERE sku = 'cap'") }
            desk.shop.clock.advance(by: OrderSettlement.patience)

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

    @Test func `However many there are, each is tried once in a round, and a later one has its turn`() async throws {
        try await SettlementDesk.open([.stocked("cap", stock: 500), .stocked("hat")]) { desk in
            await desk.provider.script(charge: .failure(.noAnswer), settle: .success(.captured))
            let stuck = try await parallel(210) { try await desk.buy("cap", total: 1490, key: "\($0)").id }
            try await desk.shop.database { try $0.script("UPDATE stock SET held = 0 WHERE sku = 'cap'") }
            desk.shop.clock.advance(by: 1)
            let later = try await desk.buy("hat", total: 1490, key: "later")
            desk.shop.clock.advance(by: OrderSettlement.patience)
            let round = try await desk.settle()
            #expect(round.settled == 1)
            #expect(round.reported == stuck.sorted())
            #expect(try await desk.guest.order(id: later.id).status == .paid)
        }
    }

    @Test(arguments: [PaymentProviderError.failed, .noAnswer])
    func `A refund that the provider does not make leaves the payment captured`(error: PaymentProviderError)
        async throws
    {
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

    @Test func `A charge in another provider's ledger is refunded by that one alone`() async throws {
        try await SettlementDesk.open { desk in
            await desk.provider.script(charge: .success(.captured))
            let order = try await desk.pay()
            let stranger = ScriptedPayments(ledgerId: "another")
            let answered = try await desk.checkout(with: stranger).cancel(
                orderId: order.id, of: desk.principal, ifMatch: nil, request: nil)
            let cancelled = try WireJSON.decode(Order.self, from: answered.body)
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

    @Test func `A charge that the sandbox knows nothing of is not told as refunded`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let order = try await guest.buyNow().good()
            try await shop.database { try $0.script("UPDATE orders SET payment_id = 'pay_nobody'") }
            let cancelled = try await guest.call(Contract.cancelOrder, path: ["id": order.id]).good()
            #expect(cancelled.status == .cancelled && cancelled.payment.status == .captured)
            #expect(cancelled.payment.refunded == .zero(.eur))
        }
    }
}
