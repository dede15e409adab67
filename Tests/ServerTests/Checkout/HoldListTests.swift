import ServerTesting
import Testing

/// The provider does not answer, so that paid orders are pending and hold their units.
@Suite("The list of holds", .timeLimit(.minutes(5)), .atDesk([.stocked("cap", stock: 60), .stocked("hat", stock: 60)]))
struct HoldListTests {
    private let desk: SettlementDesk

    init() async throws {
        desk = try await SettlementDesk(.current)
        await desk.provider.script(charge: .failure(.noAnswer))
    }

    /// The listed holds as "sku quantity", of all orders.
    private func holds() async throws -> [String] {
        try await desk.shop.rows("SELECT sku, quantity FROM holds ORDER BY sku, order_id").map {
            "\(try $0.text(0)) \(try $0.int(1))"
        }
    }

    @Test func `Units are listed while their order is pending, until it is paid, given up or released`() async throws {
        await desk.provider.script(charge: .success(.captured))
        try await desk.buy("cap", total: 1490, key: "paid")
        #expect(try await holds() == [])
        await desk.provider.script(charge: .success(.declined(code: "card_declined")))
        _ = try? await desk.buy("cap", total: 1490, key: "declined")
        #expect(try await holds() == [])
        await desk.provider.script(charge: .failure(.noAnswer))
        _ = try await desk.pay()
        try await desk.buy("hat", total: 1490, key: "hat")
        #expect(try await holds() == ["cap 2", "hat 1"])
        let expiry = try await desk.shop.rows(
            "SELECT h.expires_at - o.hold_expires_at FROM holds h JOIN orders o ON o.id = h.order_id")
        #expect(try expiry.map { try $0.int(0) } == [0, 0])
        desk.shop.clock.advance(by: 600)
        // The buyer of the last caps releases the hold of the caps alone.
        _ = try await desk.shop.guest().order("cap", 59)
        #expect(try await holds() == ["hat 1"])
        #expect(try await desk.stock("hat") == [60, 1])
        #expect(try await desk.settle().settled == 2)
        #expect(try await holds() == [])
    }

    @Test func `Triggers list the holds of orders that SQL inserts, updates and deletes`() async throws {
        let id = try await desk.pay().id
        try await desk.shop.database { connection in
            let copy = try connection.row("SELECT lines FROM orders WHERE id = ?", [.text(id)])?.text(0) ?? ""
            for number in ["0", "1", "2", "3"] {
                try connection.run(
                    """
                    INSERT INTO orders (
                        id, number, owner_id, version, status, totals, from_cart, payment_id, payment_status,
                        payment_amount, refunded, currency, ledger_id, created_at, lines, history, hold_expires_at
                    )
                    SELECT 'ord_' || ?, 'P-' || ?, owner_id, 1, 'pending', totals, 0, 'pay_' || ?, 'pending',
                        payment_amount, 0, currency, ledger_id, created_at, ?, history, hold_expires_at
                    FROM orders WHERE id = ?
                    """, [.text(number), .text(number), .text(number), .text(copy), .text(id)])
            }
        }
        #expect(try await holds().count == 5)
        try await desk.shop.database {
            try $0.script(
                """
                UPDATE orders SET hold_released = 1 WHERE id = 'ord_0' AND status = 'pending' AND hold_released = 0;
                UPDATE orders SET status = 'paid', payment_status = 'captured' WHERE id = 'ord_1';
                UPDATE orders SET version = version + 1, email = NULL WHERE id = 'ord_2';
                DELETE FROM orders WHERE id = 'ord_3';
                """)
        }
        let left = try await desk.shop.rows("SELECT order_id FROM holds ORDER BY order_id").map { try $0.text(0) }
        #expect(left == ["ord_2", id].sorted())
    }

    @Test func `The units of many expired holds are counted by a search for their SKU`() async throws {
        for number in 0..<40 {
            try await desk.buy(number.isMultiple(of: 2) ? "cap" : "hat", total: 1490, key: "\(number)")
        }
        desk.shop.clock.advance(by: 600)
        #expect(try await desk.shop.available("cap") == 60)
        #expect(try await desk.guest.add("cap", 60).good().lines.map(\.available) == [60])
        let expired = try await desk.shop.store.read { [now = desk.shop.clock.now] in
            try $0.stock.expiredHolds(at: now)
        }
        #expect(expired == ["cap": 20, "hat": 20])
        _ = try await desk.shop.guest().order("cap", 41)
        #expect(try await desk.stock("cap") == [19, 0])
        #expect(try await desk.stock("hat") == [60, 20])
        await desk.provider.script(settle: .success(.captured))
        #expect(try await desk.settle().settled == 40)
        #expect(try await desk.stock("hat") == [40, 0])
        // One of the late charges found no cap any more.
        #expect(try await desk.stock("cap") == [0, 0])
        #expect(try await desk.shop.rows("SELECT id FROM orders WHERE status = 'cancelled'").count == 1)
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `A buyer gets the units of a hold that another transaction is releasing`() async throws {
        let pending = try await desk.pay()
        desk.shop.clock.advance(by: 600)
        let release = HeldTransaction(desk.shop.store) { _ = try $0.orders.order(id: pending.id, locking: true) }
        await release.waitForStart()
        async let buying = desk.shop.guest().order("cap", 60)
        // The buyer has found too few units, and waits for the expired hold.
        try await release.during { try await eventually { try await desk.shop.waitingSessions() > 0 } }
        try await release.commit { [now = desk.shop.clock.now] in
            try $0.stock.release($0.orders.releaseExpiredHolds(at: now, limit: 50).units)
        }
        _ = try await buying
        #expect(try await desk.stock("cap") == [0, 0])
    }

    @Test(.enabled(if: !TestDatabase.isPostgres), .inShop(configure: { $0.instrument = { RecordingDatabase($0) } }))
    func `Expired holds are found through indexes`() async throws {
        let (shop, now) = (desk.shop, desk.shop.clock.now)
        let transactions = try await RecordingDatabase.transactions {
            _ = try await shop.store.write { repositories in
                (
                    try repositories.stock.expiredHolds(at: now),
                    try repositories.orders.releaseExpiredHolds(at: now, limit: 50),
                    try repositories.orders.releaseExpiredHolds(of: ["cap", "hat"], at: now),
                    try repositories.catalog.offers(skus: ["cap"], at: now)
                )
            }
        }
        let statements = Array(transactions.joined())
        try #require(statements.count == 4)
        // The first adds up all expired holds, among those of pending orders alone.
        let indexes = ["orders_holding", "holds USING PRIMARY KEY", "h USING PRIMARY KEY"]
        for (statement, index) in zip(statements.dropFirst(), indexes) {
            let rows = try await shop.rows("EXPLAIN QUERY PLAN " + statement.sql, statement.arguments)
            let plan = try rows.map { try $0.text(3) }
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
            #expect(!plan.contains { $0.contains("SCAN orders") || $0.contains("SCAN h") }, "\(plan)")
        }
    }
}
