import Foundation
import PouchDomain
import PouchEntities
import PouchImport

/// The columns of a product.
enum ProductRow {
    static let columns = """
        id, handle, style_code, name, description, season_id, theme_id, category_id, tags, materials,
        care_instructions, options, images, promo_image, updated_at
        """

    /// The product without its variants.
    ///
    /// - Parameter texts: decodes texts that many products share; nil to decode each.
    static func head(_ row: SQLRow, _ texts: DecodedTexts? = nil) throws -> CatalogEntry {
        var entry = CatalogEntry(
            id: try row.text(0), handle: try row.text(1), name: try row.text(3),
            categoryId: try texts?.text(row, 7) ?? row.text(7), updatedAt: try row.date(14))
        entry.styleCode = try row.optional(2, SQLRow.text)
        entry.description = try row.optional(4, SQLRow.text)
        entry.seasonId = try row.optional(5, SQLRow.text)
        entry.themeId = try row.optional(6, SQLRow.text)
        entry.tags = try texts?.list(row, 8) ?? row.json(8)
        entry.materials = try row.optionalJSON(9)
        entry.careInstructions = try row.optional(10, SQLRow.text)
        entry.options = try texts?.productOptions(row, 11) ?? row.json(11)
        entry.images = try row.json(12)
        entry.promoImage = try row.optionalJSON(13)
        return entry
    }

    static let count = 15

    static func values(_ entry: CatalogEntry) throws -> [SQLValue] {
        [
            .text(entry.id), .text(entry.handle), .optional(entry.styleCode), .text(entry.name),
            .optional(entry.description), .optional(entry.seasonId), .optional(entry.themeId),
            .text(entry.categoryId), try .json(entry.tags), try .json(entry.materials),
            .optional(entry.careInstructions), try .json(entry.options),
            try .json(entry.images), try .json(entry.promoImage), .time(entry.updatedAt),
        ]
    }
}

/// Values that many rows share, decoded and stored once.
final class DecodedTexts {
    private var texts: [String: String] = [:]
    private var lists: [String: [String]] = [:]
    private var options: [String: [String: String]] = [:]
    private var productOptions: [String: [ProductOption]] = [:]

    func text(_ row: SQLRow, _ index: Int) throws -> String { try value(row, index, \.texts) { try $0.text(index) } }

    func list(_ row: SQLRow, _ index: Int) throws -> [String] { try value(row, index, \.lists) { try $0.json(index) } }

    /// The options of a variant.
    func options(_ row: SQLRow, _ index: Int) throws -> [String: String] {
        try value(row, index, \.options) { try $0.json(index) }
    }

    func productOptions(_ row: SQLRow, _ index: Int) throws -> [ProductOption] {
        try value(row, index, \.productOptions) { try $0.json(index) }
    }

    private func value<Value>(
        _ row: SQLRow, _ index: Int, _ known: ReferenceWritableKeyPath<DecodedTexts, [String: Value]>,
        _ decode: (SQLRow) throws -> Value
    ) throws -> Value {
        let text = try row.text(index)
        if let value = self[keyPath: known][text] { return value }
        let value = try decode(row)
        self[keyPath: known][text] = value
        return value
    }
}

/// The columns of a price in the catalogue, for the variant v at the moment m.
enum PriceRow {
    static let columns = "v.price, v.compare_at_price, \(EffectivePrice.scheduled)"

    /// - Parameter first: the position of the first column.
    static func prices(
        _ row: SQLRow, from first: Int, _ currency: Currency
    ) throws -> (price: Money, compareAtPrice: Money?) {
        let own = try row.integer(first)
        let scheduled = try row.optional(first + 2, SQLRow.integer)
        // A temporary lower price shows the variant's own price for comparison.
        let compareAt = try row.optional(first + 1, SQLRow.integer) ?? scheduled.flatMap { $0 < own ? own : nil }
        return (Money(scheduled ?? own, currency), compareAt.map { Money($0, currency) })
    }
}

/// The columns and joins of an offer.
enum OfferRow {
    static let columns = """
        v.sku, p.handle, p.category_id, COALESCE(v.weight_grams, 0),
        \(EffectivePrice.sql), \(available)
        """
    /// A subquery per row: for a join, PostgreSQL may scan the stock of the whole shop. The units of expired holds
    /// still count as held, but can be bought.
    private static let available = """
        (SELECT s.on_hand - s.held + COALESCE(
            (SELECT SUM(h.quantity) FROM holds h WHERE h.sku = s.sku AND h.expires_at <= m.now), 0)
        FROM stock s WHERE s.sku = v.sku)
        """
    static let count = 6

    /// Joins the rows of an offer, as v and p, to the moment m (`EffectivePrice.moment`), without products that are not
    /// published or belong to a season that has not begun.
    ///
    /// - Parameter sku: the comparison with the SKU, such as `= l.sku`.
    static func joins(sku: String) -> String { variant(sku: sku) + "\n" + product }

    static func variant(sku: String) -> String { "JOIN current_variants v ON v.sku \(sku)" }

    static let product = """
        JOIN all_products p ON p.id = v.product_id AND \(ProductSale.isPublished)
            AND COALESCE((SELECT starts_at FROM seasons WHERE seasons.id = p.season_id), m.now) <= m.now
        """

    /// Whether an outer join has found the offer.
    static func isOffered(_ row: SQLRow, from first: Int = 0) throws -> Bool {
        try row.optional(first + 1, SQLRow.text) != nil
    }

    /// - Parameter first: the position of the first column.
    static func offer(_ row: SQLRow, from first: Int = 0, currency: Currency) throws -> Offer {
        Offer(
            sku: try row.text(first),
            productHandle: try row.text(first + 1),
            categoryId: try row.text(first + 2),
            weightGrams: try row.int(first + 3),
            price: Money(try row.integer(first + 4), currency),
            available: try row.int(first + 5)
        )
    }

    static let descriptionColumns = "p.name, p.images, v.options"

    /// - Parameter first: the position of the first column.
    static func description(_ row: SQLRow, from first: Int) throws -> OfferDescription {
        OfferDescription(
            name: try row.text(first),
            image: try row.json(first + 1, [ProductImage].self).first,
            options: try row.json(first + 2)
        )
    }
}

/// The status of a product at a moment, as in `ProductState.settled`.
enum ProductSale {
    /// Whether the product p is published at the moment m.
    static let isPublished = isPublished(at: "m.now")

    /// - Parameter moment: a column or placeholder, which occurs twice.
    static func isPublished(at moment: String) -> String {
        """
        CASE WHEN p.status = 'archived' OR p.withdraw_at <= \(moment) THEN 0
            WHEN p.status = 'published' OR p.publish_at <= \(moment) THEN 1 ELSE 0 END = 1
        """
    }

    /// The status of the product p at the moment m.
    static let status = """
        CASE WHEN p.status = 'archived' THEN p.status WHEN p.withdraw_at <= m.now THEN 'withdrawn'
            WHEN p.publish_at <= m.now THEN 'published' ELSE p.status END
        """
}

/// The price of a variant at a moment: the latest of its current scheduled prices, otherwise its own.
enum EffectivePrice {
    /// A table of one row with the moment, its only argument.
    static let moment = "SELECT CAST(? AS BIGINT) AS now"

    /// The scheduled price of the variant v at the moment m, or NULL.
    static let scheduled = """
        (SELECT e.price FROM scheduled_prices e WHERE e.sku = v.sku AND e.starts_at <= m.now AND e.ends_at > m.now
            ORDER BY e.starts_at DESC, e.id DESC LIMIT 1)
        """
    static let sql = "COALESCE(\(scheduled), v.price)"
}
