import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var products: any ProductRepository { SQLProducts(connection: connection, currency: currency, time: time) }
}

struct SQLProducts: ProductRepository {
    let connection: any SQLConnection
    let currency: Currency
    let time: any TimeSource

    // MARK: Reading

    func product(_ key: String, at: Date) throws -> ManagedProduct? {
        let rows = try connection.rows(
            "SELECT \(ManagedRow.columns) FROM all_products p WHERE p.id = ? OR p.handle = ?", [.text(key), .text(key)])
        let products = try products(rows, at: at)
        // Compared again, since a database may truncate text at a NUL. A handle can look like an id.
        return products.first { $0.id == key } ?? products.first { $0.handle == key }
    }

    func products(_ selection: ProductSelection, after id: String?, limit: Int, at: Date) throws -> [ManagedProduct] {
        let text = selection.text ?? ""
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return try page(selection, after: id, limit: limit, at: at)
        }
        // A database may know upper and lower case only for ASCII. It finds candidates, some of which do not match.
        var (found, last): ([ManagedProduct], String?) = ([], id)
        while found.count < limit {
            let candidates = try page(selection, after: last, limit: Self.candidates, at: at)
            found += candidates.filter { $0.contains(text) }
            guard candidates.count == Self.candidates else { break }
            last = candidates.last?.id
        }
        return Array(found.prefix(limit))
    }

    /// The number of products checked at once.
    private static let candidates = 500

    private func page(
        _ selection: ProductSelection, after id: String?, limit: Int, at: Date
    ) throws -> [ManagedProduct] {
        var conditions: [(sql: String, arguments: [SQLValue])] = []
        if let id { conditions.append(("p.id < ?", [.text(id)])) }
        if let status = selection.status { conditions.append(("\(ProductSale.status) = ?", [.text(status.rawValue)])) }
        if let category = selection.category { conditions.append(("p.category_id = ?", [.text(category)])) }
        if let text = selection.text, !text.isEmpty {
            let pattern = SQLValue.text("%" + Self.pattern(text.lowercased()) + "%")
            let columns = ["p.name", "p.handle", "COALESCE(p.style_code, '')"]
            let own = columns.map { "LOWER(\($0)) LIKE ? ESCAPE '\\'" }
            let bySKU = """
                EXISTS (SELECT 1 FROM current_variants v
                    WHERE v.product_id = p.id AND LOWER(v.sku) LIKE ? ESCAPE '\\')
                """
            conditions.append(
                ("(" + (own + [bySKU]).joined(separator: " OR ") + ")", Array(repeating: pattern, count: 4)))
        }
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.map(\.sql).joined(separator: " AND ")
        let rows = try connection.rows(
            """
            SELECT \(ManagedRow.columns) FROM (\(EffectivePrice.moment)) m JOIN all_products p ON 1 = 1
            \(filter) ORDER BY p.id DESC LIMIT ?
            """, [.time(at)] + conditions.flatMap(\.arguments) + [.integer(limit)])
        return try products(rows, at: at)
    }

    func all(after id: String, limit: Int, at: Date) throws -> [ManagedProduct] {
        let rows = try connection.rows(
            "SELECT \(ManagedRow.columns) FROM all_products p WHERE p.id > ? ORDER BY p.id LIMIT ?",
            [.text(id), .integer(limit)])
        return try products(rows, at: at)
    }

    func handles(among names: [String]) throws -> Set<String> {
        Set(
            try connection.rows(of: names) { "SELECT handle FROM all_products WHERE handle IN (\($0))" }
                .map { try $0.text(0) })
    }

    func owner(ofHandle handle: String) throws -> String? {
        try connection.row("SELECT id FROM products WHERE handle = ? LIMIT 1", [.text(handle)])?.text(0)
    }

    func handle(ofAddress handle: String) throws -> String? {
        try connection.row(
            """
            SELECT a.handle, CASE WHEN p.handle = ? AND COALESCE(p.feed_handle, p.handle) = ? THEN 0
                WHEN p.feed_handle = ? THEN 1 ELSE 2 END
            FROM products p JOIN all_products a ON a.id = p.id AND a.revision = p.revision
            WHERE (p.handle = ? OR p.feed_handle = ?) AND a.status <> 'draft'
            UNION ALL SELECT a.handle, 3 FROM former_handles f JOIN all_products a ON a.id = f.product_id
            WHERE f.handle = ? AND a.status <> 'draft'
            ORDER BY 2, 1 LIMIT 1
            """, Array(repeating: .text(handle), count: 6))?.text(0)
    }

    func owners(ofSKUs skus: [String]) throws -> [String: String] {
        try connection.rows(of: skus) { "SELECT DISTINCT sku, product_id FROM variants WHERE sku IN (\($0))" }
            .byText { try $0.text(1) }
    }

    func notForSale(skus: [String], at: Date) throws -> [String] {
        guard !skus.isEmpty else { return [] }
        let places = SQLList.places(skus.map(SQLValue.text))
        let found = try connection.rows(
            """
            SELECT DISTINCT v.sku FROM (\(EffectivePrice.moment)) m JOIN variants v ON 1 = 1
            JOIN all_products p ON p.id = v.product_id
            WHERE v.sku IN \(places.sql) AND (v.is_removed = 1 OR NOT \(ProductSale.isPublished))
            """, [.time(at)] + places.arguments
        ).map { try $0.text(0) }
        return skus.filter(found.contains)
    }

    private func products(_ rows: [SQLRow], at: Date) throws -> [ManagedProduct] {
        var variants: [String: [StockedVariant]] = [:]
        let found = try connection.rows(of: rows.map { try $0.text(0) }) { places in
            """
            SELECT v.product_id, v.sku, v.options, v.price, v.compare_at_price, v.weight_grams, s.on_hand, s.held
            FROM current_variants v JOIN stock s ON s.sku = v.sku
            WHERE v.product_id IN (\(places)) ORDER BY v.product_id, v.position, v.sku
            """
        }
        for row in found {
            let (onHand, held) = (try row.int(6), try row.int(7))
            variants[try row.text(0), default: []].append(
                StockedVariant(
                    sku: try row.text(1), options: try row.json(2), price: Money(try row.integer(3), currency),
                    compareAtPrice: try row.optional(4, SQLRow.integer).map { Money($0, currency) },
                    weightGrams: try row.optional(5, SQLRow.int), available: onHand - held, onHand: onHand, held: held))
        }
        return try rows.map { row in
            try ManagedRow.product(row, variants: variants[try row.text(0)] ?? [], at: at)
        }
    }

    /// The LIKE pattern for a text, with its special characters escaped and wildcards for non-ASCII letters.
    private static func pattern(_ text: String) -> String {
        text.unicodeScalars.map { $0.isASCII ? ("\\%_".contains(Character($0)) ? "\\\($0)" : String($0)) : "%" }
            .joined()
    }

    // MARK: Writing

    func insert(_ product: ManagedProduct, stock: [String: Int]) throws {
        let values = try ManagedRow.values(product)
        let names = (["id"] + ManagedRow.names + ["revision"]).joined(separator: ", ")
        let places = Array(repeating: "?", count: values.count + 1).joined(separator: ", ")
        try connection.run(
            "INSERT INTO products (\(names)) VALUES (\(places), (SELECT published FROM catalog_version))",
            [.text(product.id)] + values)
        for (position, variant) in product.variants.enumerated() {
            try insert(variant, of: product.id, position: position, stock: stock[variant.sku] ?? 0)
        }
    }

    func update(_ before: ManagedProduct, to after: ManagedProduct, stock: [String: Int]) throws {
        let (old, new) = (try ManagedRow.values(before), try ManagedRow.values(after))
        let changed = zip(ManagedRow.names, zip(old, new)).filter { $1.0 != $1.1 && $0 != "version" }
        let assignments = ["version = version + 1"] + changed.map { name, _ in "\(name) = ?" }
        try connection.run(
            "UPDATE products SET \(assignments.joined(separator: ", ")) WHERE id = ?",
            changed.map { $1.1 } + [.text(after.id)])
        if before.handle != after.handle {
            try connection.run(
                """
                INSERT INTO former_handles (handle, product_id) VALUES (?, ?)
                ON CONFLICT (handle) DO UPDATE SET product_id = excluded.product_id
                """, [.text(before.handle), .text(after.id)])
        }
        guard before.variants != after.variants else { return }
        let stored = before.variants.enumerated().map { ($1.sku, ($0, $1)) }
        let known = Dictionary(stored) { first, _ in first }
        for (position, variant) in after.variants.enumerated() {
            if let (oldPosition, old) = known[variant.sku] {
                try update(variant, from: old, position: position, oldPosition: oldPosition)
            } else {
                try insert(variant, of: after.id, position: position, stock: stock[variant.sku])
            }
        }
        let kept = Set(after.variants.map(\.sku))
        for variant in before.variants where !kept.contains(variant.sku) {
            // The row and its stock stay for orders that hold units or may return some.
            try connection.run("UPDATE variants SET is_removed = 1 WHERE sku = ?", [.text(variant.sku)])
        }
    }

    /// - Parameter stock: nil to keep the stock of a variant that comes back.
    private func insert(_ variant: StockedVariant, of productId: String, position: Int, stock: Int?) throws {
        let values = try VariantRow.values(variant, position: position)
        let assignments = VariantRow.names.map { "\($0) = ?" }.joined(separator: ", ")
        let returned = try connection.run(
            "UPDATE variants SET \(assignments), is_removed = 0 WHERE sku = ?", values + [.text(variant.sku)])
        if returned == 0 {
            let names = (["sku", "product_id"] + VariantRow.names + ["revision"]).joined(separator: ", ")
            let places = Array(repeating: "?", count: values.count + 2).joined(separator: ", ")
            try connection.run(
                "INSERT INTO variants (\(names)) VALUES (\(places), (SELECT published FROM catalog_version))",
                [.text(variant.sku), .text(productId)] + values)
        }
        guard returned == 0 || stock != nil else { return }
        // The previous stock of a variant never falls below what orders hold.
        try connection.run(
            """
            INSERT INTO stock (sku, on_hand, changed_at) VALUES (?, ?, ?)
            ON CONFLICT (sku) DO UPDATE SET
                on_hand = CASE WHEN stock.held > excluded.on_hand THEN stock.held ELSE excluded.on_hand END,
                changed_at = excluded.changed_at
            """, [.text(variant.sku), .integer(stock ?? 0), .time(time.now)])
    }

    private func update(_ variant: StockedVariant, from old: StockedVariant, position: Int, oldPosition: Int) throws {
        let (before, after) = (
            try VariantRow.values(old, position: oldPosition), try VariantRow.values(variant, position: position)
        )
        // Positions from an import may have gaps, so each is written if the list has changed at all.
        let changed = zip(VariantRow.names, zip(before, after)).filter { $1.0 != $1.1 || $0 == "position" }
        let assignments = changed.map { name, _ in "\(name) = ?" }.joined(separator: ", ")
        try connection.run(
            "UPDATE variants SET \(assignments) WHERE sku = ?", changed.map { $1.1 } + [.text(variant.sku)])
    }

    // MARK: Times

    func nextChange() throws -> Date? {
        try connection.date(
            """
            SELECT MIN(at) FROM (
                SELECT MIN(publish_at) AS at FROM products WHERE publish_at IS NOT NULL
                UNION ALL SELECT MIN(withdraw_at) FROM products WHERE withdraw_at IS NOT NULL
            ) changes
            """)
    }

    func due(at: Date, limit: Int) throws -> [String] {
        try connection.rows(
            """
            SELECT id FROM products WHERE publish_at <= ? UNION SELECT id FROM products WHERE withdraw_at <= ?
            ORDER BY id LIMIT ?
            """, [.time(at), .time(at), .integer(limit)]
        ).map { try $0.text(0) }
    }

    func settle(id: String, at: Date) throws -> ManagedProduct? {
        let rows = try connection.rows(
            "SELECT id, revision, status, publish_at, withdraw_at FROM products WHERE id = ?", [.text(id)])
        for row in rows {
            let state = try ManagedRow.state(row, from: 2)
            let settled = state.settled(at: at)
            guard settled != state else { continue }
            try connection.run(
                """
                UPDATE products SET status = ?, publish_at = ?, withdraw_at = ?, version = version + 1
                WHERE id = ? AND revision = ?
                """,
                [
                    .text(settled.status.rawValue), .time(settled.publishAt), .time(settled.withdrawAt), .text(id),
                    .integer(try row.integer(1)),
                ])
        }
        return try product(id, at: at)
    }
}

/// The columns of a product in every status.
enum ManagedRow {
    static let names = [
        "handle", "name", "style_code", "description", "season_id", "theme_id", "category_id", "tags", "materials",
        "care_instructions", "options", "images", "promo_image", "updated_at", "status", "publish_at", "withdraw_at",
        "version",
    ]
    static let columns = (["id"] + names).map { "p." + $0 }.joined(separator: ", ")

    static func values(_ product: ManagedProduct) throws -> [SQLValue] {
        let (details, state) = (product.details, product.state)
        return [
            .text(details.handle), .text(details.name), .optional(details.styleCode), .optional(details.description),
            .optional(details.seasonId), .optional(details.themeId), .text(details.category), try .json(details.tags),
            try .json(details.materials), .optional(details.careInstructions), try .json(details.options),
            try .json(details.images), try .json(details.promoImage), .time(product.updatedAt),
            .text(state.status.rawValue), .time(state.publishAt), .time(state.withdrawAt), .integer(product.version),
        ]
    }

    static func product(_ row: SQLRow, variants: [StockedVariant], at: Date) throws -> ManagedProduct {
        ManagedProduct(
            id: try row.text(0), version: try row.int(18), state: try state(row, from: 15).settled(at: at),
            details: ProductDetails(
                handle: try row.text(1), name: try row.text(2), styleCode: try row.optional(3, SQLRow.text),
                description: try row.optional(4, SQLRow.text), seasonId: try row.optional(5, SQLRow.text),
                themeId: try row.optional(6, SQLRow.text), category: try row.text(7), tags: try row.json(8),
                materials: try row.optionalJSON(9), careInstructions: try row.optional(10, SQLRow.text),
                options: try row.json(11), images: try row.json(12), promoImage: try row.optionalJSON(13)),
            updatedAt: try row.date(14), variants: variants)
    }

    /// - Parameter first: the position of the status, followed by the two times.
    static func state(_ row: SQLRow, from first: Int) throws -> ProductState {
        ProductState(
            ProductStatus(rawValue: try row.text(first)) ?? .unrecognised,
            publishAt: try row.optional(first + 1, SQLRow.date), withdrawAt: try row.optional(first + 2, SQLRow.date))
    }
}

/// The columns of a variant that administrators can change.
private enum VariantRow {
    static let names = ["position", "options", "price", "compare_at_price", "weight_grams"]

    static func values(_ variant: StockedVariant, position: Int) throws -> [SQLValue] {
        [
            .integer(position), try .json(variant.options), .integer(variant.price.amount),
            .optional(variant.compareAtPrice?.amount), .optional(variant.weightGrams),
        ]
    }
}
