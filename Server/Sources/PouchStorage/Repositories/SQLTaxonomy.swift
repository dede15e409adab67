import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var taxonomy: any TaxonomyRepository { SQLTaxonomy(connection: connection, currency: currency) }
}

struct SQLTaxonomy: TaxonomyRepository {
    let connection: any SQLConnection
    let currency: Currency

    // MARK: Reading

    func categories() throws -> [PouchEntities.Category] {
        try connection.rows(
            """
            SELECT c.id, c.name, COALESCE(n.products, 0) FROM categories c LEFT JOIN (
                SELECT category_id, COUNT(*) AS products FROM all_products GROUP BY category_id
            ) n ON n.category_id = c.id ORDER BY c.id
            """, []
        ).map(Self.category)
    }

    func categoryNames() throws -> [CategoryName] {
        try connection.rows("SELECT id, name FROM categories ORDER BY id", []).map {
            CategoryName(id: try $0.text(0), name: try $0.text(1))
        }
    }

    func category(id: String) throws -> PouchEntities.Category? {
        try connection.row(
            """
            SELECT c.id, c.name, (SELECT COUNT(*) FROM all_products p WHERE p.category_id = c.id)
            FROM categories c WHERE c.id = ?
            """, [.text(id)]
        ).map(Self.category)
    }

    func seasons() throws -> [Season] { try SQLCatalog(connection: connection, currency: currency).seasons() }

    func themes() throws -> [Theme] { try SQLCatalog(connection: connection, currency: currency).themes() }

    func promotions(at: Date) throws -> [ManagedPromotion] {
        try connection.rows(
            """
            SELECT p.id, p.handle, p.name, \(ProductSale.status), f.image, f.position
            FROM (\(EffectivePrice.moment)) m JOIN promotions f ON 1 = 1 JOIN all_products p ON p.id = f.product_id
            ORDER BY f.position
            """, [.time(at)]
        ).map {
            ManagedPromotion(
                productId: try $0.text(0), handle: try $0.text(1), name: try $0.text(2),
                status: ProductStatus(rawValue: try $0.text(3)) ?? .unrecognised, image: try $0.json(4),
                position: try $0.int(5))
        }
    }

    func has(_ part: CatalogPart, id: String) throws -> Bool {
        // Compared again, since a database may truncate text at a NUL.
        try connection.row("SELECT id FROM \(part.names.table) WHERE id = ?", [.text(id)])?.text(0) == id
    }

    func isUsed(_ part: CatalogPart, id: String) throws -> Bool {
        // Also used by a revision of an unfinished import.
        try connection.row("SELECT 1 FROM products WHERE \(part.names.column) = ? LIMIT 1", [.text(id)]) != nil
    }

    func used(_ part: CatalogPart) throws -> Set<String> {
        let column = part.names.column
        return Set(
            try connection.rows("SELECT DISTINCT \(column) FROM products WHERE \(column) IS NOT NULL", []).map {
                try $0.text(0)
            })
    }

    private static func category(_ row: SQLRow) throws -> PouchEntities.Category {
        PouchEntities.Category(id: try row.text(0), name: try row.text(1), productCount: try row.int(2))
    }

    // MARK: Writing

    func setCategory(id: String, name: String) throws {
        try connection.run(
            "INSERT INTO categories (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
            [.text(id), .text(name)])
    }

    func set(_ season: Season) throws {
        try connection.run(
            """
            INSERT INTO seasons (id, name, starts_at, ends_at) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, starts_at = excluded.starts_at, ends_at = excluded.ends_at
            """, [.text(season.id), .text(season.name), .time(season.startsAt), .time(season.endsAt)])
    }

    func set(_ theme: Theme) throws {
        try connection.run(
            """
            INSERT INTO themes (id, name, season_id) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, season_id = excluded.season_id
            """, [.text(theme.id), .text(theme.name), .text(theme.seasonId)])
    }

    func setPromotions(_ promotions: [CatalogContent.PromotedProduct]) throws {
        try SQLImports(connection: connection, currency: currency).replacePromotions(promotions)
    }

    func delete(_ part: CatalogPart, id: String) throws {
        try connection.run("DELETE FROM \(part.names.table) WHERE id = ?", [.text(id)])
    }
}

extension CatalogPart {
    /// The names of the table, and of the column of products that refers to it.
    fileprivate var names: (table: String, column: String) {
        switch self {
        case .category: ("categories", "category_id")
        case .season: ("seasons", "season_id")
        case .theme: ("themes", "theme_id")
        }
    }
}
