import Foundation
import PouchDomain
import PouchEntities
import PouchImport

extension ShopDatabase.Transaction {
    public var catalog: any CatalogRepository { SQLCatalog(connection: connection, currency: currency) }
    public var assets: any AssetRepository { SQLAssets(connection: connection) }
}

struct SQLCatalog: CatalogRepository {
    let connection: any SQLConnection
    let currency: Currency

    func version() throws -> Int64 {
        try connection.row("SELECT version FROM catalog_version", [])?.integer(0) ?? 0
    }

    /// The number of versions whose individual changes are kept.
    private static let keptVersions: Int64 = 1_000

    func raiseVersion(changing products: ChangedProducts) throws {
        // The lock on this row makes versions commit in order, each with its changes.
        let raised = try connection.row("UPDATE catalog_version SET version = version + 1 RETURNING version", [])
        guard let version = try raised?.integer(0) else { throw StorageError.corrupt("the catalogue has no version") }
        switch products {
        case .ofVariant(let sku):
            try connection.run(
                """
                INSERT INTO catalog_changes (version, product_id)
                SELECT CAST(? AS BIGINT), product_id FROM current_variants WHERE sku = ?
                """, [.integer(version), .text(sku)])
        case .ofProduct(let id):
            try connection.run(
                "INSERT INTO catalog_changes (version, product_id) VALUES (?, ?)", [.integer(version), .text(id)])
        case .taxonomy:
            // No product has this revision.
            try connection.run("INSERT INTO catalog_changes (version, revision) VALUES (?, -1)", [.integer(version)])
        case .ofRevision(let revision):
            try connection.run(
                "INSERT INTO catalog_changes (version, revision) VALUES (?, ?)",
                [.integer(version), .integer(revision)])
        }
        if version.isMultiple(of: 100) {
            try connection.run(
                "DELETE FROM catalog_changes WHERE version <= ?", [.integer(version - Self.keptVersions)])
        }
        try connection.announce(.catalogChanged)
    }

    func changes(after known: Int64, limit: Int) throws -> PublishedChanges? {
        let missed = try version() - known
        // A restored backup may have an earlier version.
        guard (0...Self.keptVersions).contains(missed) else { return nil }
        let rows = try connection.rows(
            "SELECT version, product_id, revision FROM catalog_changes WHERE version > ?", [.integer(known)])
        // A version without a row says nothing about what changed.
        guard try Set(rows.map { try $0.integer(0) }).count == Int(missed) else { return nil }
        var ids = Set(try rows.compactMap { try $0.optional(1, SQLRow.text) })
        let revisions = Set(try rows.compactMap { try $0.optional(2, SQLRow.integer) })
        for revision in revisions.sorted() {
            ids.formUnion(
                try connection.rows(
                    """
                    SELECT id FROM products WHERE revision = ?
                    UNION SELECT product_id FROM variants WHERE revision = ? LIMIT ?
                    """, [.integer(revision), .integer(revision), .integer(limit + 1)]
                ).map { try $0.text(0) })
            guard ids.count <= limit else { return nil }
        }
        return PublishedChanges(productIds: ids, hasTaxonomy: !revisions.isEmpty)
    }

    func offers(skus: [String], at: Date) throws -> [DescribedOffer] {
        guard !skus.isEmpty else { return [] }
        let places = SQLList.places(skus.map(SQLValue.text))
        return try connection.rows(
            """
            SELECT \(OfferRow.columns), \(OfferRow.descriptionColumns)
            FROM (\(EffectivePrice.moment)) m \(OfferRow.joins(sku: "IN \(places.sql)"))
            """, [.time(at)] + places.arguments
        ).map {
            DescribedOffer(
                offer: try OfferRow.offer($0, currency: currency),
                description: try OfferRow.description($0, from: OfferRow.count))
        }
    }

    func availability(changedSince: Date, skus: [String]) throws -> [String: Int] {
        let places = SQLList.places(skus.map(SQLValue.text))
        return try connection.rows(
            "SELECT sku, on_hand - held FROM stock WHERE changed_at >= ? OR sku IN \(places.sql)",
            [.time(changedSince)] + places.arguments
        ).byText { try $0.int(1) }
    }

    func content(at: Date) throws -> CatalogContent {
        CatalogContent(
            moment: at, changesAt: try nextChange(after: at), version: try version(), taxonomy: try taxonomy(),
            table: try products(at: at))
    }

    func taxonomy() throws -> CatalogTaxonomy {
        CatalogTaxonomy(
            seasons: try seasons(), themes: try themes(), categoryNames: try categoryNames(),
            promotions: try promotions())
    }

    func nextChange(after: Date) throws -> Date? {
        try connection.date(
            """
            SELECT MIN(at) FROM (
                SELECT MIN(starts_at) AS at FROM scheduled_prices WHERE starts_at > ?
                UNION ALL SELECT MIN(ends_at) FROM scheduled_prices WHERE ends_at > ?
                UNION ALL SELECT MIN(publish_at) FROM products WHERE publish_at > ?
                UNION ALL SELECT MIN(withdraw_at) FROM products WHERE withdraw_at > ?
            ) boundaries
            """, Array(repeating: .time(after), count: 4))
    }

    func products(changingAfter start: Date, until end: Date) throws -> Set<String> {
        let period: [SQLValue] = [.time(start), .time(end)]
        return Set(
            try connection.rows(
                """
                SELECT id FROM products WHERE publish_at > ? AND publish_at <= ?
                UNION SELECT id FROM products WHERE withdraw_at > ? AND withdraw_at <= ?
                """, period + period
            ).map { try $0.text(0) })
    }

    func prices(changingAfter start: Date, until end: Date) throws -> [VariantPrice] {
        try connection.rows(
            """
            SELECT v.sku, \(PriceRow.columns) FROM (\(EffectivePrice.moment)) m JOIN (
                SELECT sku FROM scheduled_prices WHERE starts_at > ? AND starts_at <= ?
                UNION SELECT sku FROM scheduled_prices WHERE ends_at > ? AND ends_at <= ?
            ) c ON 1 = 1 JOIN current_variants v ON v.sku = c.sku
            """, [.time(end), .time(start), .time(end), .time(start), .time(end)]
        ).map { row in
            let (price, compareAtPrice) = try PriceRow.prices(row, from: 1, currency)
            return VariantPrice(sku: try row.text(0), price: price, compareAtPrice: compareAtPrice)
        }
    }

    func seasons() throws -> [Season] {
        try connection.rows("SELECT id, name, starts_at, ends_at FROM seasons ORDER BY id", []).map {
            Season(
                id: try $0.text(0), name: try $0.text(1), startsAt: try $0.optional(2, SQLRow.date),
                endsAt: try $0.optional(3, SQLRow.date))
        }
    }

    func themes() throws -> [Theme] {
        try connection.rows("SELECT id, name, season_id FROM themes ORDER BY id", []).map {
            Theme(id: try $0.text(0), name: try $0.text(1), seasonId: try $0.text(2))
        }
    }

    private func categoryNames() throws -> [String: String] {
        try connection.rows("SELECT id, name FROM categories", []).byText { try $0.text(1) }
    }

    func promotions() throws -> [CatalogContent.PromotedProduct] {
        try connection.rows("SELECT product_id, image, position FROM promotions ORDER BY position", []).map {
            CatalogContent.PromotedProduct(
                productId: try $0.text(0), image: try $0.json(1), position: try $0.int(2))
        }
    }

    func products(ids: [String], at: Date) throws -> [Product] {
        let rows = try connection.rows(of: ids, leading: [.time(at), .time(at)]) {
            "SELECT \(ProductRow.columns) FROM all_products p WHERE \(Self.isPublished) AND id IN (\($0))"
        }
        return try products(rows, at: at, DecodedTexts())
    }

    private static let isPublished = ProductSale.isPublished(at: "CAST(? AS BIGINT)")

    /// All published products, read in parts that take little memory.
    private func products(at: Date) throws -> ProductTable {
        var table = ProductTable(currency: currency)
        let texts = DecodedTexts()
        var last = ""
        while true {
            let rows = try connection.rows(
                """
                SELECT \(ProductRow.columns) FROM all_products p WHERE \(Self.isPublished) AND id > ?
                ORDER BY id LIMIT 512
                """, [.time(at), .time(at), .text(last)])
            guard let end = try rows.last?.text(0) else { return table }
            for product in try products(rows, at: at, texts) { table.append(product) }
            last = end
        }
    }

    /// The products of rows, without those that cannot be shown since they have no variant and so no price.
    private func products(_ heads: [SQLRow], at: Date, _ texts: DecodedTexts) throws -> [Product] {
        var variants: [String: [Variant]] = [:]
        let rows = try connection.rows(of: heads.map { try $0.text(0) }, leading: [.time(at)]) { places in
            """
            SELECT v.product_id, v.sku, v.options, v.weight_grams, s.on_hand - s.held, \(PriceRow.columns)
            FROM (\(EffectivePrice.moment)) m JOIN current_variants v ON 1 = 1 JOIN stock s ON s.sku = v.sku
            WHERE v.product_id IN (\(places)) ORDER BY v.product_id, v.position, v.sku
            """
        }
        for row in rows {
            let (price, compareAtPrice) = try PriceRow.prices(row, from: 5, currency)
            variants[try row.text(0), default: []].append(
                Variant(
                    sku: try row.text(1), options: try texts.options(row, 2), price: price,
                    compareAtPrice: compareAtPrice, available: try row.int(4),
                    weightGrams: try row.optional(3, SQLRow.int)))
        }
        return try heads.compactMap { row in
            let head = try ProductRow.head(row, texts)
            return variants[head.id].flatMap { head.product(variants: $0) }
        }
    }
}

struct SQLAssets: AssetRepository {
    let connection: any SQLConnection

    func head(path: String) throws -> AssetHead? {
        try connection.row(
            "SELECT media_type, digest, LENGTH(bytes) FROM assets WHERE path = ?", [.text(path)]
        ).map { AssetHead(mediaType: try $0.text(0), digest: try $0.data(1), byteCount: try $0.int(2)) }
    }

    func bytes(path: String, in range: Range<Int>) throws -> Data {
        // SQLite returns NULL for an empty part.
        guard !range.isEmpty else { return Data() }
        return try connection.row(
            "SELECT SUBSTR(bytes, ?, ?) FROM assets WHERE path = ?",
            [.integer(range.lowerBound + 1), .integer(range.count), .text(path)]
        )?.data(0) ?? Data()
    }

    func put(_ asset: StoredAsset) throws {
        try connection.run(
            """
            INSERT INTO assets (path, media_type, digest, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (path) DO UPDATE
            SET media_type = excluded.media_type, digest = excluded.digest, bytes = excluded.bytes
            WHERE assets.digest <> excluded.digest
            """, [.text(asset.path), .text(asset.mediaType), .blob(asset.digest), .blob(asset.bytes)])
    }
}
