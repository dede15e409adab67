import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import TestDatabase
import Testing

@Suite("Holds that expire while nobody settles the order", .timeLimit(.minutes(1)))
struct ExpiredHoldTests {
    @Test func `However many there are, all are given back, and the orders wait on`() async throws {
        try await SettlementDesk.open([.stocked("cap", stock: 120), .stocked("hat", stock: 1)]) { desk in
            await desk.provider.script(charge: .failure(.noAnswer))
            for number in 0..<110 { try await desk.buy("cap", total: 1490, key: "\(number)") }
            let holds = ExpiredHolds(desk.shop.environment)
            desk.shop.clock.advance(by: 599)
            let young = try await desk.buy("hat", total: 1490, key: "young")
            try await holds.release()
            #expect(try await desk.stock("cap") == [120, 110])
            desk.shop.clock.advance(by: 1)
            _ = try await parallel(4) { _ in try await holds.release() }
            #expect(try await desk.stock("cap") == [120, 0])
            #expect(try await desk.stock("hat") == [1, 1])
            let pending = try await desk.shop.rows("SELECT id FROM orders WHERE status = 'pending'")
            #expect(pending.count == 111)
            #expect(try await desk.guest.order(id: young.id).status == .pending)
            #expect(try await desk.shop.available("cap") == 120)

            await desk.provider.script(settle: .success(.captured))
            desk.shop.clock.advance(by: 60)
            #expect(try await desk.settle().settled == 111)
            #expect(try await desk.stock("cap") == [10, 0])
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `They are found by an index, and not among all orders that are pending`() async throws {
        try await TestShop.open(configure: { $0.instrument = { RecordingDatabase($0) } }) { shop in
            let now = shop.clock.now
            let transactions = try await RecordingDatabase.transactions {
                _ = try await shop.store.read { repositories in
                    (
                        try repositories.stock.expiredHolds(at: now),
                        try repositories.orders.expiredHolds(at: now, limit: 50)
                    )
                }
            }
            let statements = transactions.joined()
            #expect(statements.count == 2)
            for statement in statements {
                let plan = try await shop.rows("EXPLAIN QUERY PLAN " + statement.sql, statement.arguments)
                #expect(try plan[0].text(3).contains("orders_holding"), "\(plan)")
            }
        }
    }

    @Test func `A server does it by itself, also for a provider that it no longer has`() async throws {
        try await TestShop.open([.stocked("cap", stock: 2)]) { shop in
            let guest = try await shop.guest()
            let id = try #require(guest.session?.id)
            let desk = SettlementDesk(
                shop: shop, provider: ScriptedPayments(ledgerId: "gone"), guest: guest,
                principal: Principal(sessionId: id, kind: .guest, ownerId: id))
            await desk.provider.script(charge: .failure(.noAnswer))
            let order = try await desk.pay()
            #expect(try await desk.stock("cap") == [2, 2])
            shop.clock.advance(by: 600)
            try await eventually { try await desk.stock("cap") == [2, 0] }
            #expect(try await guest.order(id: order.id).status == .pending)
        }
    }
}
