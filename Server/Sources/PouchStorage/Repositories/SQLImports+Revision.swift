import Foundation
import PouchDomain
import PouchEntities
import PouchImport

extension SQLImports {
    private static let assetBytes = 4 << 20

    func nextRevision() throws -> Int64 {
        try connection.row("UPDATE catalog_version SET revision = revision + 1 RETURNING revision", [])?.integer(0) ?? 0
    }

    // MARK: The catalogue

    func entries(
        handles: [String], feedHandles: [String], styleCodes: [String], revision: Int64
    ) throws -> [FoundEntry] {
        var heads: [String: (entry: CatalogEntry, revision: Int64, version: Int, state: ProductState)] = [:]
        for (column, values) in [("handle", handles), ("feed_handle", feedHandles), ("style_code", styleCodes)] {
            let found = try connection.rows(of: values) { places in
                """
                SELECT \(ProductRow.columns), revision, version, status, publish_at, withdraw_at, feed_handle
                FROM products p WHERE \(column) IN (\(places))
                    AND revision = (SELECT MAX(r.revision) FROM products r WHERE r.id = p.id)
                """
            }
            for row in found {
                var head = try ProductRow.head(row)
                head.feedHandle = try row.optional(ProductRow.count + 5, SQLRow.text)
                heads[head.id] = (
                    head, try row.integer(ProductRow.count), try row.int(ProductRow.count + 1),
                    try ManagedRow.state(row, from: ProductRow.count + 2)
                )
            }
        }
        var variants: [String: [CatalogEntry.Variant]] = [:]
        var (unpublished, removed): ([String: Set<String>], [String: Set<String>]) = ([:], [:])
        let found = try connection.rows(of: heads.keys.sorted(), leading: [.integer(revision)]) { places in
            """
            SELECT product_id, v.sku, options, price, compare_at_price, weight_grams, imported_stock,
                CASE WHEN EXISTS (SELECT 1 FROM variants o WHERE o.sku = v.sku AND o.revision < ?) THEN 1 ELSE 0 END, is_removed,
                e.export_id, e.stock
            FROM variants v LEFT JOIN export_edits e ON e.sku = v.sku WHERE product_id IN (\(places))
                AND revision = (SELECT MAX(r.revision) FROM variants r WHERE r.sku = v.sku)
            ORDER BY product_id, position, v.sku
            """
        }
        for row in found {
            let (productId, sku) = (try row.text(0), try row.text(1))
            guard try row.int(8) == 0 else {
                removed[productId, default: []].insert(sku)
                continue
            }
            variants[productId, default: []].append(
                CatalogEntry.Variant(
                    sku: sku,
                    options: try row.json(2),
                    price: Money(try row.integer(3), currency),
                    compareAtPrice: try row.optional(4, SQLRow.integer).map { Money($0, currency) },
                    weightGrams: try row.optional(5, SQLRow.int),
                    importedStock: try row.optional(6, SQLRow.int),
                    edit: try row.optional(9, SQLRow.text).map {
                        CatalogEntry.ExportEdit(exportId: $0, stock: try row.int(10))
                    }))
            if try row.int(7) == 0 { unpublished[productId, default: []].insert(sku) }
        }
        return heads.values.map { head in
            var entry = head.entry
            entry.variants = variants[entry.id] ?? []
            return FoundEntry(
                entry: entry, revision: head.revision, version: head.version, state: head.state,
                unpublishedSKUs: unpublished[entry.id] ?? [], removedSKUs: removed[entry.id] ?? [])
        }
    }

    func productIds(skus: [String]) throws -> [String: String] {
        try connection.rows(of: skus) { "SELECT DISTINCT sku, product_id FROM variants WHERE sku IN (\($0))" }
            .byText { try $0.text(1) }
    }

    func categoryNames(ids: [String]) throws -> [String: String] {
        try connection.rows(of: ids) { "SELECT id, name FROM categories WHERE id IN (\($0))" }
            .byText { try $0.text(1) }
    }

    // MARK: Writing

    func name(products: [String], in id: String) throws -> Int {
        try connection.insert(
            into: "import_products (import_id, product_id)", products.map { [.text(id), .text($0)] },
            "ON CONFLICT (import_id, product_id) DO NOTHING")
    }

    func lockCatalog() throws {
        // An update, so that a transaction with an older snapshot starts again.
        try connection.run("UPDATE catalog_version SET revision = revision", [])
    }

    func versions(ids: [String]) throws -> [String: Int] {
        try connection.rows(of: ids) { places in
            """
            SELECT p.id, p.version FROM products p WHERE p.id IN (\(places))
                AND p.revision = (SELECT MAX(r.revision) FROM products r WHERE r.id = p.id)
            """
        }.byText { try $0.int(1) }
    }

    func handlesInUse(_ handles: [String]) throws -> Set<String> {
        Set(
            try connection.rows(of: handles) { "SELECT handle FROM products WHERE handle IN (\($0))" }
                .map { try $0.text(0) })
    }

    func save(_ entries: [(CatalogEntry, ProductState)], revision: Int64) throws {
        try connection.insert(
            into: "products (\(ProductRow.columns), status, publish_at, withdraw_at, revision, feed_handle)",
            entries.map { entry, state in
                try ProductRow.values(entry) + [
                    .text(state.status.rawValue), .time(state.publishAt), .time(state.withdrawAt), .integer(revision),
                    .optional(entry.feedHandle),
                ]
            },
            """
            ON CONFLICT (id, revision) DO UPDATE SET
                style_code = excluded.style_code, name = excluded.name, description = excluded.description,
                season_id = excluded.season_id, theme_id = excluded.theme_id, category_id = excluded.category_id,
                tags = excluded.tags, materials = excluded.materials,
                care_instructions = excluded.care_instructions, options = excluded.options,
                images = excluded.images, promo_image = excluded.promo_image, updated_at = excluded.updated_at,
                status = excluded.status, publish_at = excluded.publish_at, withdraw_at = excluded.withdraw_at,
                feed_handle = excluded.feed_handle
            """)
        for (entry, _) in entries {
            try connection.run(
                """
                UPDATE products SET version = COALESCE(
                    (SELECT MAX(o.version) FROM products o WHERE o.id = products.id AND o.revision < ?), 0) + 1
                WHERE id = ? AND revision = ?
                """, [.integer(revision), .text(entry.id), .integer(revision)])
        }
    }

    func save(_ variants: [DraftVariant], revision: Int64, at: Date) throws {
        try connection.insert(
            into: """
                variants (
                    sku, revision, product_id, position, options, price, compare_at_price, weight_grams,
                    imported_stock, stock_change, export_id, export_stock
                )
                """,
            variants.map { draft in
                let variant = draft.variant
                let edit = variant.stockChange != nil || draft.isNew ? variant.edit : nil
                return [
                    .text(variant.sku), .integer(revision), .text(draft.productId), .integer(draft.position),
                    try .json(variant.options), .integer(variant.price.amount),
                    .optional(variant.compareAtPrice?.amount), .optional(variant.weightGrams),
                    .optional(variant.importedStock), .optional(variant.stockChange),
                    .optional(edit?.exportId), .optional(edit?.stock),
                ]
            },
            """
            ON CONFLICT (sku, revision) DO UPDATE SET
                position = excluded.position, options = excluded.options, price = excluded.price,
                compare_at_price = excluded.compare_at_price, weight_grams = excluded.weight_grams,
                imported_stock = excluded.imported_stock,
                stock_change = COALESCE(excluded.stock_change, variants.stock_change),
                export_id = COALESCE(excluded.export_id, variants.export_id),
                export_stock = COALESCE(excluded.export_stock, variants.export_stock)
            """)
        try connection.insert(
            into: "stock (sku, on_hand, changed_at)",
            variants.filter(\.isNew).map { draft in
                [.text(draft.variant.sku), .integer(draft.variant.importedStock ?? 0), .time(at)]
            },
            "ON CONFLICT (sku) DO UPDATE SET on_hand = excluded.on_hand, changed_at = excluded.changed_at")
    }

    func addCategories(_ names: [String: String]) throws {
        try connection.insert(
            into: "categories (id, name)", names.sorted { $0.key < $1.key }.map { [.text($0.key), .text($0.value)] },
            "ON CONFLICT (id) DO NOTHING")
    }

    func note(_ changes: [String: CatalogChange], for id: String) throws {
        try connection.insert(
            into: "import_changes (import_id, key, change)",
            changes.sorted { $0.key < $1.key }.map { [.text(id), .text($0.key), try .json($0.value)] },
            "ON CONFLICT (import_id, key) DO UPDATE SET change = excluded.change")
    }

    func publishAssets(id: String) throws -> (changed: Int, isMore: Bool) {
        let waiting = try connection.rows(
            "SELECT path, LENGTH(bytes) FROM import_assets WHERE import_id = ? ORDER BY path LIMIT 200", [.text(id)])
        var (changed, bytes) = (0, 0)
        for row in waiting where bytes < Self.assetBytes {
            let path = try row.text(0)
            changed += try connection.run(
                """
                INSERT INTO assets (path, media_type, digest, bytes)
                SELECT path, media_type, digest, bytes FROM import_assets WHERE import_id = ? AND path = ?
                ON CONFLICT (path) DO UPDATE SET
                    media_type = excluded.media_type, digest = excluded.digest, bytes = excluded.bytes
                WHERE assets.digest <> excluded.digest OR assets.media_type <> excluded.media_type
                """,
                [.text(id), .text(path)])
            try connection.run("DELETE FROM import_assets WHERE import_id = ? AND path = ?", [.text(id), .text(path)])
            bytes += try row.int(1)
        }
        return (changed, !waiting.isEmpty)
    }

    // MARK: After publishing

    func setStock(revision: Int64, after sku: String, at: Date) throws -> String? {
        let rows = try connection.rows(
            """
            SELECT v.sku, v.imported_stock, o.imported_stock, o.sku, v.stock_change,
                v.export_id, v.export_stock
            FROM variants v LEFT JOIN variants o ON o.sku = v.sku AND o.revision = (
                SELECT MAX(r.revision) FROM variants r WHERE r.sku = v.sku AND r.revision < v.revision
            )
            WHERE v.revision = ? AND v.sku > ? ORDER BY v.sku LIMIT 1000
            """, [.integer(revision), .text(sku)])
        for row in rows {
            if let exportId = try row.optional(5, SQLRow.text) {
                try connection.run(
                    """
                    INSERT INTO export_edits (sku, export_id, stock) VALUES (?, ?, ?)
                    ON CONFLICT (sku) DO UPDATE SET export_id = excluded.export_id, stock = excluded.stock
                    """, [.text(try row.text(0)), .text(exportId), .integer(try row.integer(6))])
            }
            if let change = try row.optional(4, SQLRow.integer) {
                try connection.run(
                    """
                    UPDATE stock SET on_hand = CASE WHEN on_hand + ? < held THEN held ELSE on_hand + ? END,
                        changed_at = ? WHERE sku = ?
                    """, [.integer(change), .integer(change), .time(at), .text(try row.text(0))])
                continue
            }
            // A new variant got its stock when it was written.
            guard try row.optional(3, SQLRow.text) != nil, let units = try row.optional(1, SQLRow.integer),
                try row.optional(2, SQLRow.integer) != units
            else { continue }
            try connection.run(
                "UPDATE stock SET on_hand = CASE WHEN held > ? THEN held ELSE ? END, changed_at = ? WHERE sku = ?",
                [.integer(units), .integer(units), .time(at), .text(try row.text(0))])
        }
        return try rows.last?.text(0)
    }

    func supersede(revision: Int64, after cursor: String) throws -> String? {
        // Products first, then variants, distinguished by the first character of the cursor.
        let isVariant = cursor.hasPrefix("v")
        let (table, key) = isVariant ? ("variants", "sku") : ("products", "id")
        let part = "SELECT \(key) FROM \(table) WHERE revision = ? AND \(key) > ? ORDER BY \(key) LIMIT 1000"
        let arguments: [SQLValue] = [.integer(revision), .text(String(cursor.dropFirst()))]
        let last = try connection.row("SELECT MAX(\(key)) FROM (\(part)) part", arguments)?.optional(0, SQLRow.text)
        guard let last else { return isVariant ? nil : "v" }
        try connection.run(
            "DELETE FROM \(table) WHERE revision < ? AND \(key) IN (\(part))", [.integer(revision)] + arguments)
        return (isVariant ? "v" : "p") + last
    }

    func withdraw(revision: Int64) throws -> Bool {
        let part = "SELECT sku FROM variants WHERE revision = ? ORDER BY sku LIMIT 1000"
        try connection.run(
            """
            DELETE FROM stock WHERE sku IN (\(part))
                AND NOT EXISTS (SELECT 1 FROM variants o WHERE o.sku = stock.sku AND o.revision < ?)
            """, [.integer(revision), .integer(revision)])
        let variants = try connection.run(
            "DELETE FROM variants WHERE revision = ? AND sku IN (\(part))", [.integer(revision), .integer(revision)])
        if variants > 0 { return true }
        return try connection.run(
            """
            DELETE FROM products WHERE revision = ? AND id IN (
                SELECT id FROM products WHERE revision = ? ORDER BY id LIMIT 1000
            )
            """, [.integer(revision), .integer(revision)]) > 0
    }
}
