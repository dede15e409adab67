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
            #expect(try await Migrator().migrate(database) == Migration.all.map(\.name))
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
                try $0.script("UPDATE schema_migrations SET sql = sql || ' ' WHERE version = 24")
            }
            let before = try await schema(database)
            let changed = StorageError.migrationChanged(version: 24, name: "baseline")
            await #expect(throws: changed) { try await Migrator().migrate(database) }
            await #expect(throws: changed) { try await Migrator().check(database) }
            #expect(try await schema(database) == before)
        }
    }

    @Test func `A server runs on a schema that a newer one expanded, not on one without what it uses`() async throws {
        try await open { database in
            let first = Migration(version: 1, name: "first", sql: "CREATE TABLE things (id TEXT PRIMARY KEY);")
            let expansion = Migration(version: 9, name: "expansion", sql: "CREATE TABLE replacements (id TEXT);")
            let contraction = Migration(version: 10, name: "contraction", sql: "DROP TABLE things;", needs: 9)
            let (earlier, later) = (Migrator([first]), Migrator([first, expansion]))
            try await earlier.migrate(database)
            try await later.migrate(database)
            #expect(try await earlier.migrate(database) == [])
            try await earlier.check(database)
            try await Migrator([first, expansion, contraction]).migrate(database)
            try await later.check(database)
            let newer = StorageError.schemaTooNew(found: 10, known: 1)
            await #expect(throws: newer) { try await earlier.migrate(database) }
            await #expect(throws: newer) { try await earlier.check(database) }
        }
    }

    private static let table = Migration(
        version: 1, name: "table", sql: "CREATE TABLE things (id TEXT PRIMARY KEY, size INTEGER);")
    private static let indexed = Migrator([
        table, Migration(version: 9, name: "index", sql: "", indexes: [.init("things_by_size", on: "things (size)")]),
    ])

    @Test func `An index of a migration is built once`() async throws {
        try await open { database in
            try await Migrator([Self.table]).migrate(database)
            #expect(try await Self.indexed.migrate(database) == ["index"])
            let list = TestDatabase.isPostgres ? "SELECT indexname FROM pg_indexes" : "SELECT name FROM sqlite_master"
            let names = try await database.read { try $0.rows(list, []).map { try $0.text(0) } }
            #expect(names.contains("things_by_size"))
            #expect(try await Self.indexed.migrate(database) == [])
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `An index that an interrupted server left incomplete is built again`() async throws {
        try await open { database in
            try await Self.indexed.migrate(database)
            let validity =
                "SELECT CAST(indisvalid AS TEXT) FROM pg_index WHERE indexrelid = to_regclass('things_by_size')"
            try await database.write {
                try $0.script("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass('things_by_size')")
            }
            try await Self.indexed.migrate(database)
            #expect(try await database.read { try $0.row(validity, [])?.text(0) } == "true")
        }
    }

    /// The baseline replaces the migrations of development versions, of which a database has all or is refused.
    @Test func `A database of all replaced migrations is current, one without the last is refused`() async throws {
        try await open { database in
            try await Migrator().migrate(database)
            let last = try #require(Migration.baseline.replaced)
            try await database.write { connection in
                try connection.run("UPDATE schema_migrations SET name = 'buyers', sql = ?", [.text(last)])
                try connection.script("INSERT INTO schema_migrations (version, name, sql) VALUES (23, 'grants', '')")
            }
            try await Migrator().check(database)
            #expect(try await Migrator().migrate(database) == [])

            try await database.write { try $0.script("DELETE FROM schema_migrations WHERE version = 24") }
            let before = try await schema(database)
            let unsupported = StorageError.schemaUnsupported(found: 23)
            await #expect(throws: unsupported) { try await Migrator().migrate(database) }
            await #expect(throws: unsupported) { try await Migrator().check(database) }
            #expect(try await schema(database) == before)
        }
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

@Suite("Query plans")
struct QueryPlanTests {
    /// The plan of each statement of a transaction.
    private func plans(
        of body: @escaping @Sendable (ShopDatabase.Transaction) throws -> Void
    ) async throws -> [[String]] {
        let database = RecordingDatabase(try TestShop.current.configuration.database.connect())
        return try await withCleanup(database.close) {
            let transactions = try await RecordingDatabase.transactions {
                try await ShopDatabase(database, currency: .eur).read(body)
            }
            var plans: [[String]] = []
            for statement in transactions.joined() {
                plans.append(try await database.write { try $0.plan(of: statement) })
            }
            return plans
        }
    }

    @Test(.inShop()) func `Reading a cart uses indexes and never scans the catalogue`() async throws {
        let plans = try await plans { repositories in
            _ = try repositories.carts.head(ownerId: "x", sku: "cap", at: Date())
            _ = try repositories.carts.read(ownerId: "x", describing: true, at: Date())
            _ = try repositories.catalog.offers(skus: ["cap"], at: Date())
        }
        #expect(plans.count == 3)
        // Scans of a single row are allowed.
        let harmless = ["catalog_version", "CONSTANT ROW", "SCAN m", "SCAN k", "SCAN (subquery", "on seasons"]
        for plan in plans {
            let scans = plan.filter { $0.contains("SCAN") || $0.contains("Seq Scan") }
            #expect(scans.allSatisfy { scan in harmless.contains { scan.contains($0) } }, "\(plan)")
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres, "PostgreSQL plans by the statistics of full tables."), .inShop([]))
    func `Waiting and failed mails, deliveries and orders are read by indexes without sent ones`() async throws {
        let plans = try await plans { repositories in
            _ = try repositories.orders.unsent(limit: 51)
            _ = try repositories.mails.unsent(since: Date(), after: nil, limit: 51)
            _ = try repositories.mails.failed(since: Date(), limit: 51)
            _ = try repositories.webhooks.failedDeliveries(limit: 51)
        }
        let indexes = ["orders_unsent", "mails_failed", "mails_failed", "webhook_deliveries_failed"]
        #expect(plans.count == indexes.count)
        for (plan, index) in zip(plans, indexes) { #expect(plan.contains { $0.contains(index) }, "\(plan)") }
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

extension StorageError: @retroactive Equatable {
    /// Whether the errors are equal with all of their values, which their descriptions have.
    public static func == (one: StorageError, other: StorageError) -> Bool { "\(one)" == "\(other)" }
}
