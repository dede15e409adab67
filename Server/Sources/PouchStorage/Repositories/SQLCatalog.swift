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

    func raiseVersion() throws {
        try connection.run("UPDATE catalog_version SET version = version + 1", [])
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
            moment: at,
            pricesChangeAt: try nextPriceChange(after: at),
            version: try version(),
            currency: currency,
            seasons: try seasons(),
            themes: try themes(),
            categoryNames: try categoryNames(),
            products: try products(at: at),
            promotions: try promotions()
        )
    }

    private func nextPriceChange(after: Date) throws -> Date? {
        try connection.row(
            """
            SELECT MIN(at) FROM (
                SELECT MIN(starts_at) AS at FROM scheduled_prices WHERE starts_at > ?
                UNION ALL SELECT MIN(ends_at) FROM scheduled_prices WHERE ends_at > ?
            ) boundaries
            """, [.time(after), .time(after)])?.optional(0, SQLRow.date)
    }

    private func seasons() throws -> [Season] {
        try connection.rows("SELECT id, name, starts_at, ends_at FROM seasons ORDER BY id", []).map {
            Season(
                id: try $0.text(0), name: try $0.text(1), startsAt: try $0.optional(2, SQLRow.date),
                endsAt: try $0.optional(3, SQLRow.date))
        }
    }

    private func themes() throws -> [Theme] {
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

    private func products(at: Date) throws -> [Product] {
        var variants: [String: [Variant]] = [:]
        for row in try connection.rows(
            """
            SELECT v.product_id, v.sku, v.options, v.price, v.compare_at_price, v.weight_grams, s.on_hand - s.held,
                \(EffectivePrice.scheduled)
            FROM (\(EffectivePrice.moment)) m JOIN current_variants v ON 1 = 1 JOIN stock s ON s.sku = v.sku
            ORDER BY v.product_id, v.position, v.sku
            """, [.time(at)])
        {
            let own = try row.integer(3)
            let scheduled = try row.optional(7, SQLRow.integer)
            // A temporarily lower price shows the variant's own price for comparison.
            let compareAt = try row.optional(4, SQLRow.integer) ?? scheduled.flatMap { $0 < own ? own : nil }
            variants[try row.text(0), default: []].append(
                Variant(
                    sku: try row.text(1),
                    options: try row.json(2),
                    price: Money(scheduled ?? own, currency),
                    compareAtPrice: compareAt.map { Money($0, currency) },
                    available: try row.int(6),
                    weightGrams: try row.optional(5, SQLRow.int)
                ))
        }
        return try connection.rows(
            "SELECT \(ProductRow.columns) FROM current_products ORDER BY id", []
        ).compactMap { row in
            let head = try ProductRow.head(row)
            // A product without variants has no price and cannot be shown.
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
