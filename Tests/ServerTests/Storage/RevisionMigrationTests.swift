import Foundation
import PouchDomain
import PouchEntities
import PouchServer
import PouchStorage
import TestDatabase
import Testing

@Suite("Data from before revisions")
struct RevisionMigrationTests {
    @Test func `A catalogue of version 1 is there afterwards, and can be changed`() async throws {
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
            #expect(content.promotions.map(\.productId) == ["prd_1"])
            #expect(offers.map(\.offer.available) == [5])
            #expect(offers.map(\.offer.price) == [Money(1000, .eur)])
            if !TestDatabase.isPostgres {
                #expect(try await database.read { try $0.rows("PRAGMA foreign_key_check", []) }.isEmpty)
            }
            try await database.close()
        }
    }

    @Test func `A cart looks its variants up and never goes through the catalogue`() async throws {
        try await TestShop.open { shop in
            let database = RecordingDatabase(try shop.configuration.database.connect())
            let store = ShopDatabase(database, currency: .eur)
            let statements = try await RecordingDatabase.transactions {
                _ = try await store.read { repositories in
                    (
                        try repositories.carts.lines(ownerId: "x", at: Date()),
                        try repositories.carts.descriptions(ownerId: "x"),
                        try repositories.catalog.offers(skus: ["cap"], at: Date())
                    )
                }
            }.flatMap(\.self)
            #expect(statements.count == 3)
            for statement in statements {
                let plan = try await database.write { try $0.plan(of: statement) }
                let scans = plan.filter { $0.contains("SCAN") || $0.contains("Seq Scan") }
                // What has one row is gone through.
                let harmless = ["catalog_version", "CONSTANT ROW", "SCAN m", "SCAN (subquery"]
                #expect(
                    scans.filter { scan in !harmless.contains { scan.contains($0) } } == [],
                    "\(plan.joined(separator: "\n"))")
            }
            try await database.close()
        }
    }
}

extension SQLConnection {
    /// How the database would run the statement, if reading a whole table were dear: the tables of a test are small.
    fileprivate func plan(of statement: RecordingDatabase.Statement) throws -> [String] {
        guard TestDatabase.isPostgres else {
            return try rows("EXPLAIN QUERY PLAN " + statement.sql, statement.arguments).map { try $0.text(3) }
        }
        try script("SET LOCAL enable_seqscan = off")
        return try rows("EXPLAIN " + statement.sql, statement.arguments).map { try $0.text(0) }
    }
}
