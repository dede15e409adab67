import ServerTesting
import Testing

@testable import PouchStorage

@Suite("Migrations")
struct MigratorTests {
    private func open(_ body: @escaping @Sendable (any Database) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder, isFresh: true).address.connect()
            try await body(database)
            try await database.close()
        }
    }

    private func schema(_ database: any Database) async throws -> [String] {
        let sql =
            TestDatabase.isPostgres
            ? """
            SELECT table_name || ' ' || column_name || ' ' || data_type FROM information_schema.columns
            WHERE table_schema = 'public' ORDER BY 1
            """ : "SELECT COALESCE(sql, name) FROM sqlite_master ORDER BY 1"
        return try await database.read { try $0.rows(sql, []).map { try $0.text(0) } }
    }

    @Test func `A fresh database gets all migrations, and a second run applies none`() async throws {
        try await open { database in
            #expect(try await Migrator().migrate(database).first == "initial")
            let before = try await schema(database)
            #expect(before.contains { $0.contains("orders") })
            #expect(try await Migrator().migrate(database) == [])
            #expect(try await schema(database) == before)
            try await Migrator().check(database)
        }
    }

    @Test func `Concurrent migrations are applied once`() async throws {
        try await open { database in
            let applied = try await parallel(6) { _ in try await Migrator().migrate(database) }
            #expect(applied.joined().sorted() == Migration.all.map(\.name).sorted())
        }
    }

    @Test func `A migration with changed SQL is refused, and nothing is changed`() async throws {
        try await open { database in
            try await Migrator().migrate(database)
            try await database.write {
                try $0.script("UPDATE schema_migrations SET sql = sql || ' ' WHERE version = 1")
            }
            let before = try await schema(database)
            let changed = StorageError.migrationChanged(version: 1, name: "initial")
            await #expect(throws: changed) { try await Migrator().migrate(database) }
            await #expect(throws: changed) { try await Migrator().check(database) }
            #expect(try await schema(database) == before)
        }
    }

    @Test func `A server runs on a schema that a newer one has expanded, and refuses one without what it uses`()
        async throws
    {
        try await open { database in
            let first = Migration(version: 1, name: "first", sql: "CREATE TABLE things (id TEXT PRIMARY KEY);")
            let expansion = Migration(version: 9, name: "expansion", sql: "CREATE TABLE replacements (id TEXT);")
            let contraction = Migration(version: 10, name: "contraction", sql: "DROP TABLE things;", needs: 9)
            let earlier = [first, .needs]
            try await Migrator(earlier).migrate(database)
            try await Migrator(earlier + [expansion]).migrate(database)
            #expect(try await Migrator(earlier).migrate(database) == [])
            try await Migrator(earlier).check(database)
            try await Migrator(earlier + [expansion, contraction]).migrate(database)
            try await Migrator(earlier + [expansion]).check(database)
            let newer = StorageError.schemaTooNew(found: 10, known: 8)
            await #expect(throws: newer) { try await Migrator(earlier).migrate(database) }
            await #expect(throws: newer) { try await Migrator(earlier).check(database) }
        }
    }

    @Test func `An index of a migration is built once`() async throws {
        try await open { database in
            let table = Migration(
                version: 1, name: "table", sql: "CREATE TABLE things (id TEXT PRIMARY KEY, size INTEGER);")
            let migrator = Migrator([
                table, .needs,
                Migration(version: 9, name: "index", sql: "", indexes: [.init("things_by_size", on: "things (size)")]),
            ])
            try await Migrator([table, .needs]).migrate(database)
            #expect(try await migrator.migrate(database) == ["index"])
            #expect(try await indexes(database).contains("things_by_size"))
            #expect(try await migrator.migrate(database) == [])
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `An index that an interrupted server left incomplete is built again`() async throws {
        try await open { database in
            let migrator = Migrator([
                Migration(
                    version: 1, name: "table", sql: "CREATE TABLE things (id TEXT PRIMARY KEY, size INTEGER);",
                    indexes: [.init("things_by_size", on: "things (size)")]),
                .needs,
            ])
            try await migrator.migrate(database)
            let validity =
                "SELECT CAST(indisvalid AS TEXT) FROM pg_index WHERE indexrelid = to_regclass('things_by_size')"
            try await database.write {
                try $0.script("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('things_by_size')")
            }
            try await migrator.migrate(database)
            #expect(try await database.read { try $0.row(validity, [])?.text(0) } == "true")
        }
    }

    private func indexes(_ database: any Database) async throws -> [String] {
        let sql =
            TestDatabase.isPostgres
            ? "SELECT indexname FROM pg_indexes" : "SELECT name FROM sqlite_master WHERE type = 'index'"
        return try await database.read { try $0.rows(sql, []).map { try $0.text(0) } }
    }

    @Test func `Checking refuses a fresh database and leaves it empty`() async throws {
        try await open { database in
            let error = await #expect(throws: StorageError.self) { try await Migrator().check(database) }
            if case .schemaTooOld(found: 0, _)? = error {} else { Issue.record("\(String(describing: error))") }
            let left = try await schema(database)
            #expect(left.isEmpty)
        }
    }
}

@Suite("Migration to revisions, and query plans")
struct RevisionMigrationTests {
    @Test func `A catalogue of version 1 is readable after the migration`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try await TestDatabase(in: folder, isFresh: true).address.connect()
            try await Migrator(upTo: 1).migrate(database)
            try await database.write { connection in
                try connection.script(
                    """
                    INSERT INTO products (id, handle, name, category_id, tags, options, images, updated_at)
                    VALUES ('prd_1', 'cap', 'Cap', 'hats', '[]', '[]', '[]', 1);
                    INSERT INTO variants (sku, product_id, position, options, price, imported_stock)
                    VALUES ('cap', 'prd_1', 0, '{}', 1000, 9);
                    INSERT INTO stock (sku, on_hand, held, changed_at) VALUES ('cap', 7, 2, 1);
                    INSERT INTO promotions (position, product_id, image)
                    VALUES (0, 'prd_1', '{"alt":"","url":"/assets/cap.svg"}');
                    INSERT INTO imports (id, created_at, active_at) VALUES ('imp_1', 1, 1);
                    INSERT INTO import_records (import_id, position, record) VALUES ('imp_1', 0, '{}');
                    """)
            }
            try await Migrator().migrate(database)
            let store = ShopDatabase(database, currency: .eur)
            let (content, offers) = try await store.read {
                (try $0.catalog.content(at: Date()), try $0.catalog.offers(skus: ["cap"], at: Date()))
            }
            #expect(content.products.map(\.handle) == ["cap"])
            #expect(content.taxonomy.promotions.map(\.productId) == ["prd_1"])
            #expect(offers.map(\.offer.available) == [5] && offers.map(\.offer.price) == [Money(1000, .eur)])
            if !TestDatabase.isPostgres {
                #expect(try await database.read { try $0.rows("PRAGMA foreign_key_check", []) }.isEmpty)
            }
            try await database.close()
        }
    }

    @Test func `Reading a cart uses indexes and never scans the catalogue`() async throws {
        try await TestShop.open { shop in
            let database = RecordingDatabase(try shop.configuration.database.connect())
            let store = ShopDatabase(database, currency: .eur)
            let statements = try await RecordingDatabase.transactions {
                _ = try await store.read { repositories in
                    (
                        try repositories.carts.head(ownerId: "x", sku: "cap", at: Date()),
                        try repositories.carts.read(ownerId: "x", describing: true, at: Date()),
                        try repositories.catalog.offers(skus: ["cap"], at: Date())
                    )
                }
            }.flatMap(\.self)
            #expect(statements.count == 3)
            for statement in statements {
                let plan = try await database.write { try $0.plan(of: statement) }
                let scans = plan.filter { $0.contains("SCAN") || $0.contains("Seq Scan") }
                // Scans of a single row are allowed.
                let harmless = ["catalog_version", "CONSTANT ROW", "SCAN m", "SCAN k", "SCAN (subquery", "on seasons"]
                #expect(
                    scans.filter { scan in !harmless.contains { scan.contains($0) } } == [],
                    "\(plan.joined(separator: "\n"))")
            }
            try await database.close()
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres, "PostgreSQL plans by the statistics of full tables."))
    func `What waits and what failed is read by indexes without what was sent`() async throws {
        try await TestShop.open([]) { shop in
            let database = RecordingDatabase(try shop.configuration.database.connect())
            let store = ShopDatabase(database, currency: .eur)
            let statements = try await RecordingDatabase.transactions {
                _ = try await store.read { repositories in
                    [
                        try repositories.orders.unsent(limit: 51).count,
                        try repositories.mails.unsent(since: Date(), after: nil, limit: 51).count,
                        try repositories.mails.failed(since: Date(), limit: 51),
                        try repositories.webhooks.failedDeliveries(limit: 51),
                    ]
                }
            }.flatMap(\.self)
            let indexes = ["orders_unsent", "mails_failed", "mails_failed", "webhook_deliveries_failed"]
            #expect(statements.count == indexes.count)
            for (statement, index) in zip(statements, indexes) {
                let plan = try await database.write { try $0.plan(of: statement) }
                #expect(plan.contains { $0.contains(index) }, "\(plan.joined(separator: "\n"))")
            }
            try await database.close()
        }
    }
}

extension SQLConnection {
    /// The query plan of the statement, without sequential scans where possible, since the tables of a test are small.
    fileprivate func plan(of statement: RecordingDatabase.Statement) throws -> [String] {
        guard TestDatabase.isPostgres else {
            return try rows("EXPLAIN QUERY PLAN " + statement.sql, statement.arguments).map { try $0.text(3) }
        }
        try script("SET LOCAL enable_seqscan = off")
        return try rows("EXPLAIN " + statement.sql, statement.arguments).map { try $0.text(0) }
    }
}

@Suite("Migration of orders to documents")
struct OrderMigrationTests {
    /// Opens a shop on a database migrated from version 1, with a paid order, a pending one, and a cancelled one that
    /// has to be refunded.
    private func open(_ body: @escaping @Sendable (TestShop) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let address = try await TestDatabase(in: folder, isFresh: true).address
            let database = try address.connect()
            try await Migrator(upTo: 1).migrate(database)
            let totals = try Totals(
                items: Money(2000, .eur), discount: Money(0, .eur), shipping: Money(490, .eur), tax: Money(0, .eur),
                total: Money(2490, .eur)
            ).json()
            try await database.write { connection in
                for (id, status, payment) in [
                    ("ord_1", "paid", "captured"), ("ord_2", "pending", "pending"), ("ord_3", "cancelled", "captured"),
                ] {
                    try connection.run(
                        """
                        INSERT INTO orders (id, number, owner_id, version, status, totals, email, from_cart, payment_id,
                            payment_status, payment_amount, refunded, currency, ledger_id, created_at)
                        VALUES (?, ?, 'ses_1', 2, ?, ?, 'a@example.com', 0, ?, ?, 2490, 0, 'EUR', 'scripted', ?)
                        """,
                        [
                            .text(id), .text("P-" + id), .text(status), .text(String(decoding: totals, as: UTF8.self)),
                            .text("pay_" + id), .text(payment), .integer(1_700_000_000_000),
                        ])
                    for (position, sku) in ["cap", "hat"].enumerated() {
                        try connection.run(
                            """
                            INSERT INTO order_lines (order_id, position, sku, name, options, quantity, unit_price,
                                line_total, discount, tax, refunded_quantity)
                            VALUES (?, ?, ?, ?, '{"Size":"M"}', 1, 1000, 1000, 0, 0, 0)
                            """,
                            [.text(id), .integer(position), .text(sku), .text(sku.capitalized)])
                    }
                    let events = status == "pending" ? [status] : ["pending", status]
                    for (position, event) in events.enumerated() {
                        try connection.run(
                            "INSERT INTO order_events (order_id, position, status, at) VALUES (?, ?, ?, ?)",
                            [.text(id), .integer(position), .text(event), .integer(1_700_000_000_000 + position)])
                    }
                }
            }
            try await database.close()
            try await TestShop.open([], configure: { $0.database = address }, body)
        }
    }

    @Test func `Migrated orders are listed with their lines and history`() async throws {
        try await open { shop in
            let admin = try await shop.admin()
            let orders = try await admin.call(Contract.allOrders).good().items
            #expect(orders.map(\.id) == ["ord_3", "ord_2", "ord_1"])
            for order in orders {
                #expect(order.lines.map(\.sku) == ["cap", "hat"] && order.lines.map(\.name) == ["Cap", "Hat"])
                #expect(order.lines.allSatisfy { $0.options == ["Size": "M"] && $0.lineTotal == Money(1000, .eur) })
                #expect(order.totals.total == Money(2490, .eur) && order.email == "a@example.com")
            }
            #expect(orders[2].history.map(\.status) == [.pending, .paid])
            #expect(orders[2].history.map(\.at.timeIntervalSince1970) == [1_700_000_000, 1_700_000_000.001])
            #expect(orders[1].history.map(\.status) == [.pending])
            #expect(try await admin.fulfil("ord_1").good().status == .fulfilled)
        }
    }

    @Test func `An outstanding refund is made after the migration`() async throws {
        try await open { shop in
            let settlement = OrderSettlement(
                shop.environment, carts: shop.services.carts, payments: ScriptedPayments(),
                encode: StoredAnswer.init(outcome:))
            let pending = try await shop.store.read {
                try $0.refunds.pending(ledgerId: "scripted", after: nil, limit: 10)
            }
            #expect(pending.map(\.orderId) == ["ord_3"] && pending.map(\.amount) == [Money(2490, .eur)])
            // The pending order is tried too and stays pending, since the catalogue does not have its units.
            _ = try await settlement.settleAll()
            let orders = try await shop.admin().call(Contract.allOrders, query: "status=cancelled").good().items
            #expect(orders.map(\.payment.status) == [.refunded])
            #expect(orders.map(\.payment.refunded) == [Money(2490, .eur)])
            #expect(orders.first?.history.map(\.status) == [.pending, .cancelled])
        }
    }
}

extension StorageError: @retroactive Equatable {
    /// Whether the errors are equal with all of their values, which their descriptions have.
    public static func == (one: StorageError, other: StorageError) -> Bool { "\(one)" == "\(other)" }
}
