import Foundation
import PouchDomain
import PouchEntities

struct SQLImports: ImportRepository {
    let connection: any SQLConnection
    let currency: Currency

    // MARK: Staging

    func begin(id: String, at: Date) throws {
        try connection.run(
            "INSERT INTO imports (id, created_at, active_at) VALUES (?, ?, ?)", [.text(id), .time(at), .time(at)])
    }

    func stage(id: String, records: [StagedRecord], from position: Int, at: Date) throws {
        for (offset, record) in records.enumerated() {
            try connection.run(
                "INSERT INTO import_records (import_id, position, record) VALUES (?, ?, ?)",
                [.text(id), .integer(position + offset), try StoredJSON.text(record)])
        }
        try touch(id, at: at)
    }

    func stage(id: String, asset: StoredAsset, at: Date) throws {
        try connection.run(
            """
            INSERT INTO import_assets (import_id, path, media_type, digest, bytes) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (import_id, path) DO UPDATE SET
                media_type = excluded.media_type, digest = excluded.digest, bytes = excluded.bytes
            """,
            [.text(id), .text(asset.path), .text(asset.mediaType), .blob(asset.digest), .blob(asset.bytes)])
        try touch(id, at: at)
    }

    private func touch(_ id: String, at: Date) throws {
        try connection.run("UPDATE imports SET active_at = ? WHERE id = ?", [.time(at), .text(id)])
    }

    func staged(id: String, after position: Int, limit: Int) throws -> [(position: Int, record: StagedRecord)] {
        try connection.rows(
            """
            SELECT position, record FROM import_records
            WHERE import_id = ? AND position > ? ORDER BY position LIMIT ?
            """,
            [.text(id), .integer(position), .integer(limit)]
        ).map { (try $0.int(0), try $0.json(1)) }
    }

    func discard(id: String) throws {
        try connection.run("DELETE FROM imports WHERE id = ?", [.text(id)])
    }

    func discardAbandoned(before: Date) throws {
        try connection.run("DELETE FROM imports WHERE active_at < ?", [.time(before)])
    }

    // MARK: Products

    func entry(handle: String) throws -> CatalogEntry? {
        try entry("handle", handle)
    }

    func entry(styleCode: String) throws -> CatalogEntry? {
        try entry("style_code", styleCode)
    }

    private func entry(_ column: String, _ value: String) throws -> CatalogEntry? {
        guard
            let row = try connection.row(
                "SELECT \(ProductRow.columns) FROM products WHERE \(column) = ? ORDER BY id LIMIT 1", [.text(value)])
        else { return nil }
        var entry = try ProductRow.head(row)
        entry.variants = try connection.rows(
            """
            SELECT sku, options, price, compare_at_price, weight_grams, imported_stock
            FROM variants WHERE product_id = ? ORDER BY position, sku
            """,
            [.text(entry.id)]
        ).map { row in
            CatalogEntry.Variant(
                sku: try row.text(0),
                options: try row.json(1),
                price: Money(try row.integer(2), currency),
                compareAtPrice: try row.optional(3, SQLRow.integer).map { Money($0, currency) },
                weightGrams: try row.optional(4, SQLRow.int),
                importedStock: try row.optional(5, SQLRow.int)
            )
        }
        return entry
    }

    func productId(sku: String) throws -> String? {
        try connection.row("SELECT product_id FROM variants WHERE sku = ?", [.text(sku)])?.text(0)
    }

    func save(_ entry: CatalogEntry) throws {
        try connection.run(
            """
            INSERT INTO products (\(ProductRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                style_code = excluded.style_code, name = excluded.name, description = excluded.description,
                season_id = excluded.season_id, theme_id = excluded.theme_id, category_id = excluded.category_id,
                tags = excluded.tags, materials = excluded.materials,
                care_instructions = excluded.care_instructions, options = excluded.options,
                images = excluded.images, promo_image = excluded.promo_image, updated_at = excluded.updated_at
            """, try ProductRow.values(entry))
        for (position, variant) in entry.variants.enumerated() {
            try save(variant, productId: entry.id, position: position, at: entry.updatedAt)
        }
    }

    private func save(_ variant: CatalogEntry.Variant, productId: String, position: Int, at: Date) throws {
        try connection.run(
            """
            INSERT INTO variants (
                sku, product_id, position, options, price, compare_at_price, weight_grams, imported_stock
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (sku) DO UPDATE SET
                position = excluded.position, options = excluded.options, price = excluded.price,
                compare_at_price = excluded.compare_at_price, weight_grams = excluded.weight_grams,
                imported_stock = excluded.imported_stock
            """,
            [
                .text(variant.sku), .text(productId), .integer(position), try StoredJSON.text(variant.options),
                .integer(variant.price.amount), .optional(variant.compareAtPrice?.amount),
                .optional(variant.weightGrams.map(Int64.init)), .optional(variant.importedStock.map(Int64.init)),
            ])
        try connection.run(
            "INSERT INTO stock (sku, on_hand, changed_at) VALUES (?, 0, ?) ON CONFLICT (sku) DO NOTHING",
            [.text(variant.sku), .time(at)])
    }

    func setOnHand(sku: String, _ units: Int, at: Date) throws {
        try connection.run(
            """
            UPDATE stock SET on_hand = CASE WHEN held > ? THEN held ELSE ? END, changed_at = ? WHERE sku = ?
            """,
            [.integer(units), .integer(units), .time(at), .text(sku)])
    }

    // MARK: The rest of the catalogue

    func save(_ season: Season) throws -> Bool {
        try connection.run(
            """
            INSERT INTO seasons (id, name, starts_at, ends_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name,
                starts_at = COALESCE(excluded.starts_at, seasons.starts_at),
                ends_at = COALESCE(excluded.ends_at, seasons.ends_at)
            WHERE seasons.name <> excluded.name
                OR COALESCE(excluded.starts_at, seasons.starts_at, 0) <> COALESCE(seasons.starts_at, 0)
                OR COALESCE(excluded.ends_at, seasons.ends_at, 0) <> COALESCE(seasons.ends_at, 0)
            """,
            [.text(season.id), .text(season.name), .time(season.startsAt), .time(season.endsAt)]) == 1
    }

    func save(_ theme: Theme) throws -> Bool {
        try connection.run(
            """
            INSERT INTO themes (id, name, season_id) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, season_id = excluded.season_id
            WHERE themes.name <> excluded.name OR themes.season_id <> excluded.season_id
            """,
            [.text(theme.id), .text(theme.name), .text(theme.seasonId)]) == 1
    }

    func saveCategory(id: String, name: String) throws -> Bool {
        try connection.run(
            """
            INSERT INTO categories (id, name) VALUES (?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE categories.name <> excluded.name
            """,
            [.text(id), .text(name)]) == 1
    }

    func promotions() throws -> [CatalogContent.PromotedProduct] {
        try SQLCatalog(connection: connection, currency: currency).promotions()
    }

    func replacePromotions(_ promotions: [CatalogContent.PromotedProduct]) throws {
        try connection.run("DELETE FROM promotions", [])
        for promotion in promotions {
            try connection.run(
                "INSERT INTO promotions (position, product_id, image) VALUES (?, ?, ?)",
                [.integer(promotion.position), .text(promotion.productId), try StoredJSON.text(promotion.image)])
        }
    }

    func publishAssets(id: String) throws -> Int {
        try connection.run(
            """
            INSERT INTO assets (path, media_type, digest, bytes)
            SELECT path, media_type, digest, bytes FROM import_assets WHERE import_id = ?
            ON CONFLICT (path) DO UPDATE SET
                media_type = excluded.media_type, digest = excluded.digest, bytes = excluded.bytes
            WHERE assets.digest <> excluded.digest OR assets.media_type <> excluded.media_type
            """,
            [.text(id)])
    }

    func raiseVersion() throws {
        try connection.run("UPDATE catalog_version SET version = version + 1", [])
    }
}
