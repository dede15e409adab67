import Foundation
import PouchDomain
import PouchEntities
import PouchImport

/// How a product stands in its table.
enum ProductRow {
    static let columns = """
        id, handle, style_code, name, description, season_id, theme_id, category_id, tags, materials,
        care_instructions, options, images, promo_image, updated_at
        """

    /// The product without its variants.
    static func head(_ row: SQLRow) throws -> CatalogEntry {
        CatalogEntry(
            id: try row.text(0),
            handle: try row.text(1),
            styleCode: try row.optional(2, SQLRow.text),
            name: try row.text(3),
            description: try row.optional(4, SQLRow.text),
            seasonId: try row.optional(5, SQLRow.text),
            themeId: try row.optional(6, SQLRow.text),
            categoryId: try row.text(7),
            tags: try row.json(8),
            materials: try row.optionalJSON(9),
            careInstructions: try row.optional(10, SQLRow.text),
            options: try row.json(11),
            images: try row.json(12),
            promoImage: try row.optionalJSON(13),
            updatedAt: try row.date(14)
        )
    }

    static let count = 15

    static func values(_ entry: CatalogEntry) throws -> [SQLValue] {
        [
            .text(entry.id), .text(entry.handle), .optional(entry.styleCode), .text(entry.name),
            .optional(entry.description), .optional(entry.seasonId), .optional(entry.themeId),
            .text(entry.categoryId), try StoredJSON.text(entry.tags), try StoredJSON.optional(entry.materials),
            .optional(entry.careInstructions), try StoredJSON.text(entry.options),
            try StoredJSON.text(entry.images), try StoredJSON.optional(entry.promoImage), .time(entry.updatedAt),
        ]
    }
}
