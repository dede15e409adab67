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

    @Test func `What a server of an earlier release writes is listed, too`() async throws {
        let id = try await desk.pay().id
        // The statements by which the earlier release wrote orders.
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
}

@Suite("Searches for expired holds", .inShop(configure: { $0.instrument = { RecordingDatabase($0) } }))
struct HoldIndexTests {
    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `Expired holds are found through indexes`() async throws {
        let shop = TestShop.current
        let now = shop.clock.now
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

@Suite("Migration of holds and carts")
struct HoldMigrationTests {
    /// Opens a shop on a database of version 8: two caps on hand for each pending order, and a cart of five caps.
    private func open(_ body: @Sendable (TestShop) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let address = try await TestDatabase(in: folder, isFresh: true).address
            let database = try address.connect()
            try await Migrator(upTo: 8).migrate(database)
            let clock = SettableClock()
            let now = Int64(clock.now.timeIntervalSince1970 * 1_000)
            let line = OrderLine(
                sku: "cap", name: "Cap", options: [:], quantity: 2, unitPrice: Money(1_000, .eur),
                lineTotal: Money(2_000, .eur), discount: .zero(.eur), tax: .zero(.eur), refundedQuantity: 0)
            let lines = String(decoding: try ([line]).json(), as: UTF8.self)
            let totals = Totals(
                items: Money(2_000, .eur), discount: .zero(.eur), shipping: Money(490, .eur), tax: .zero(.eur),
                total: Money(2_490, .eur))
            let totalsText = String(decoding: try totals.json(), as: UTF8.self)
            try await database.write { connection in
                try connection.script(
                    """
                    INSERT INTO products (id, revision, handle, name, category_id, tags, options, images, updated_at)
                    VALUES ('prd_1', 0, 'cap', 'Cap', 'hats', '[]', '[]', '[]', 1);
                    INSERT INTO variants (sku, revision, product_id, position, options, price)
                    VALUES ('cap', 0, 'prd_1', 0, '{}', 1000);
                    INSERT INTO stock (sku, on_hand, held, changed_at) VALUES ('cap', 8, 4, 1);
                    INSERT INTO carts (owner_id, version, changes, updated_at) VALUES ('ses_1', 1, '[]', 1);
                    INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
                    VALUES ('ses_1', 'cap', 4, 5, 900);
                    INSERT INTO sessions (id, kind, created_at) VALUES ('ses_1', 'guest', 1);
                    """)
                for (id, status, expiry, released) in [
                    ("ord_held", "pending", now + 60_000, 0), ("ord_expired", "pending", now - 1, 0),
                    ("ord_released", "pending", now - 1, 1), ("ord_paid", "paid", now - 1, 0),
                ] {
                    try connection.run(
                        """
                        INSERT INTO orders (
                            id, number, owner_id, version, status, totals, from_cart, payment_id, payment_status,
                            payment_amount, refunded, currency, ledger_id, created_at, lines, history,
                            hold_expires_at, hold_released
                        )
                        VALUES (?, ?, 'ses_1', 1, ?, ?, 0, ?, 'pending', 2490, 0, 'EUR', 'scripted', ?, ?, '[]', ?, ?)
                        """,
                        [
                            .text(id), .text(id), .text(status), .text(totalsText), .text(id), .integer(now - 600_000),
                            .text(lines), .integer(expiry), .integer(released),
                        ])
                }
            }
            try await database.close()
            try await TestShop.open(
                [], runsJobs: false,
                configure: {
                    $0.database = address
                    $0.time = clock
                }, body)
        }
    }

    @Test func `Pending orders of the earlier release hold their units, and expired ones give them up`() async throws {
        try await open { shop in
            let listed = try await shop.rows("SELECT order_id, sku, quantity FROM holds ORDER BY order_id").map {
                "\(try $0.text(0)) \(try $0.text(1)) \(try $0.int(2))"
            }
            #expect(listed == ["ord_expired cap 2", "ord_held cap 2"])
            #expect(try await shop.available("cap") == 6)
            try await shop.guest().buyNow("cap", 6, total: 6_490).good()
            let stock = try await shop.rows("SELECT on_hand, held FROM stock").first
            #expect(try [stock?.int(0), stock?.int(1)] == [2, 2])
            let settlement = OrderSettlement(
                shop.environment, carts: shop.services.carts, payments: ScriptedPayments(),
                encode: StoredAnswer.init(outcome:))
            #expect(try await settlement.settleAll() == 3)
            let earlier = try await shop.rows(
                "SELECT id, status FROM orders WHERE id IN ('ord_held', 'ord_expired', 'ord_released') ORDER BY id")
            let statuses = try earlier.map { "\(try $0.text(0)) \(try $0.text(1))" }
            #expect(statuses == ["ord_expired cancelled", "ord_held paid", "ord_released cancelled"])
            #expect(try await shop.rows("SELECT 1 FROM stock WHERE on_hand = 0 AND held = 0").count == 1)
        }
    }

    @Test func `A cart of the earlier release is added up at the first write`() async throws {
        try await open { shop in
            let principal = Principal(sessionId: "ses_1", kind: .guest, ownerId: "ses_1")
            let carts = shop.services.carts
            for quantity in [4, 3] {
                let (summary, cart) = try await shop.store.write(.readCommitted) {
                    let summary = try carts.changeForSummary(principal, .set(sku: "cap", quantity: quantity), in: $0)
                    return (summary, try carts.cart(principal, in: $0).cart)
                }
                #expect(summary.totals.items == Money(Int64(quantity) * 1_000, .eur))
                #expect(cart.totals == summary.totals && cart.changes == [])
            }
        }
    }
}
