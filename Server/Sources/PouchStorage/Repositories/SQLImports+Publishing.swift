import Foundation
import PouchDomain
import PouchEntities
import PouchImport

extension SQLImports {
    func changes(id: String) throws -> [CatalogChange] {
        try connection.rows("SELECT change FROM import_changes WHERE import_id = ? ORDER BY key", [.text(id)]).map {
            try $0.json(0)
        }
    }

    func refreshStatistics() throws {
        guard connection.dialect.plansByStatistics else { return }
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
                [.integer(promotion.position), .text(promotion.productId), try StoredJSON.text(promotion.image)])
        }
    }
}
