import Foundation
import PouchDomain
import PouchEntities
import PouchStorage
import Testing

@Suite("Data from before revisions")
struct RevisionMigrationTests {
    @Test func `A catalogue of version 1 is there afterwards, and can be changed`() async throws {
        try await TemporaryFolder.use { folder in
            let database = try SQLiteDatabase(path: folder.appending(path: "test.sqlite").path)
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
            let store = SQLStore(database, currency: .eur)
            let (content, offers) = try await store.read {
                (try $0.catalog.content(at: Date()), try $0.catalog.offers(skus: ["cap"], at: Date()))
            }
            #expect(content.products.map(\.handle) == ["cap"])
            #expect(content.promotions.map(\.productId) == ["prd_1"])
            #expect(offers.map(\.offer.available) == [5])
            #expect(offers.map(\.offer.price) == [Money(1000, .eur)])
            #expect(try await database.read { try $0.rows("PRAGMA foreign_key_check", []) }.isEmpty)
            try await database.close()
        }
    }

    @Test func `A cart looks its variants up and never goes through the catalogue`() async throws {
        try await TestShop.open { shop in
            let plan = try await shop.rows(
                """
                EXPLAIN QUERY PLAN SELECT v.price
                FROM cart_lines l JOIN current_variants v ON v.sku = l.sku
                    JOIN current_products p ON p.id = v.product_id JOIN stock s ON s.sku = v.sku
                WHERE l.owner_id = 'x'
                """
            ).map { try $0.text(3) }
            #expect(plan.filter { $0.hasPrefix("SCAN") && !$0.contains("catalog_version") } == [], "\(plan)")
        }
    }
}
