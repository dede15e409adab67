import Foundation
import PouchDomain
import PouchEntities
import PouchImport

extension ShopDatabase.Transaction {
    public var imports: any ImportRepository { SQLImports(connection: connection, currency: currency) }
}

struct SQLImports: ImportRepository {
    let connection: any SQLConnection
    let currency: Currency

    // MARK: Imports

    func create(_ record: ImportRecord, at: Date) throws {
        try connection.run(
            "INSERT INTO imports (id, phase, record, created_at, active_at) VALUES (?, ?, ?, ?, ?)",
            [.text(record.id), .text(record.phase.rawValue), try .json(record), .time(at), .time(at)])
    }

    func record(id: String) throws -> ImportRecord? {
        try connection.row("SELECT record FROM imports WHERE id = ?", [.text(id)])?.json(0)
    }

    func save(_ record: ImportRecord, at: Date) throws -> Bool {
        let saved = try connection.run(
            "UPDATE imports SET phase = ?, record = ?, active_at = ? WHERE id = ? AND phase <> 'ended'",
            [.text(record.phase.rawValue), try .json(record), .time(at), .text(record.id)])
        if saved == 1, record.phase == .comparing { try connection.announce(.importReceived) }
        return saved == 1
    }

    func unfinished() throws -> String? {
        try connection.row(
            "SELECT id FROM imports WHERE phase <> 'ended' AND phase <> 'receiving' ORDER BY id LIMIT 1", []
        )?.text(0)
    }

    func leastActive() throws -> Date? {
        try connection.date("SELECT MIN(active_at) FROM imports WHERE phase <> 'ended' AND phase = 'receiving'")
    }

    func abandoned(before: Date) throws -> [ImportRecord] {
        try connection.rows(
            "SELECT record FROM imports WHERE phase <> 'ended' AND phase = 'receiving' AND active_at < ?",
            [.time(before)]
        ).map { try $0.json(0) }
    }

    func add(_ reports: [(place: Int, report: FeedRowError)], to id: String) throws {
        try connection.insert(
            into: "import_errors (import_id, position, line, error)",
            reports.map { place, report in
                [.text(id), .integer(place), .integer(report.line), try .json(report)]
            })
    }

    func reports(id: String) throws -> [FeedRowError] {
        try connection.rows(
            "SELECT error FROM import_errors WHERE import_id = ? ORDER BY line, position", [.text(id)]
        ).map { try $0.json(0) }
    }

    func purge(before: Date) throws {
        try connection.run(
            """
            DELETE FROM import_errors
            WHERE import_id IN (SELECT id FROM imports WHERE phase = 'ended' AND created_at < ?)
            """, [.time(before)])
        try connection.run("DELETE FROM imports WHERE phase = 'ended' AND created_at < ?", [.time(before)])
    }

    // MARK: The lease

    func lease() throws -> ImportLease {
        guard let row = try connection.row("SELECT import_id, holder, expires_at FROM import_lease", []) else {
            throw StorageError.corrupt("the lease of imports is missing")
        }
        return ImportLease(
            importId: try row.optional(0, SQLRow.text), holder: try row.optional(1, SQLRow.text),
            expiresAt: try row.date(2))
    }

    func takeLease(of id: String, for holder: String, until: Date, at: Date) throws -> Bool {
        try connection.run(
            """
            UPDATE import_lease SET import_id = ?, holder = ?, expires_at = ?
            WHERE import_id IS NULL OR (import_id = ? AND (holder IS NULL OR expires_at < ?))
            """,
            [.text(id), .text(holder), .time(until), .text(id), .time(at)]) == 1
    }

    func renewLease(of id: String, for holder: String, until: Date) throws -> Bool {
        try connection.run(
            "UPDATE import_lease SET expires_at = ? WHERE import_id = ? AND holder = ?",
            [.time(until), .text(id), .text(holder)]) == 1
    }

    func leaveLease(of id: String, holder: String) throws {
        try connection.run(
            "UPDATE import_lease SET holder = NULL WHERE import_id = ? AND holder = ?", [.text(id), .text(holder)])
    }

    func endLease(of id: String) throws {
        try connection.run("UPDATE import_lease SET import_id = NULL, holder = NULL WHERE import_id = ?", [.text(id)])
    }

    // MARK: Staging

    func touch(id: String, at: Date) throws -> Bool {
        try connection.run(
            "UPDATE imports SET active_at = ? WHERE id = ? AND phase = 'receiving'", [.time(at), .text(id)]) == 1
    }

    func stage(id: String, records: [StagedRecord], from position: Int) throws {
        try connection.insert(
            into: "import_records (import_id, position, record)",
            records.enumerated().map { offset, record in
                [.text(id), .integer(position + offset), try .json(record)]
            })
    }

    func stage(id: String, asset: StoredAsset) throws {
        try connection.run(
            """
            INSERT INTO import_assets (import_id, path, media_type, digest, bytes) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (import_id, path) DO UPDATE SET
                media_type = excluded.media_type, digest = excluded.digest, bytes = excluded.bytes
            """,
            [.text(id), .text(asset.path), .text(asset.mediaType), .blob(asset.digest), .blob(asset.bytes)])
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

    func removeStaged(id: String, upTo position: Int) throws {
        try connection.run(
            "DELETE FROM import_records WHERE import_id = ? AND position <= ?", [.text(id), .integer(position)])
    }

    func tidy(id: String) throws -> Bool {
        for (table, key, count) in [
            ("import_records", "position", 1_000), ("import_assets", "path", 1),
            ("import_products", "product_id", 2_000),
            ("import_changes", "key", 2_000),
        ] {
            let removed = try connection.run(
                """
                DELETE FROM \(table) WHERE import_id = ? AND \(key) IN (
                    SELECT \(key) FROM \(table) WHERE import_id = ? ORDER BY \(key) LIMIT \(count)
                )
                """, [.text(id), .text(id)])
            if removed > 0 { return true }
        }
        return false
    }

    // MARK: Publishing

    func changes(id: String) throws -> [CatalogChange] {
        try connection.rows("SELECT change FROM import_changes WHERE import_id = ? ORDER BY key", [.text(id)]).map {
            try $0.json(0)
        }
    }

    func refreshStatistics() throws {
        guard connection.dialect == .postgres else { return }
        try connection.run("ANALYZE products, variants, stock, scheduled_prices", [])
    }

    func publish(revision: Int64) throws {
        try connection.run("UPDATE catalog_version SET published = ?", [.integer(revision)])
    }

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
                [.integer(promotion.position), .text(promotion.productId), try .json(promotion.image)])
        }
    }
}
