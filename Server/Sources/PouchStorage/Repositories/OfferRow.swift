import PouchDomain
import PouchEntities

/// How an offer stands in the tables.
enum OfferRow {
    static let columns = """
        v.sku, p.handle, p.category_id, COALESCE(v.weight_grams, 0),
        \(EffectivePrice.sql), \(available)
        """
    /// Asked for each row by itself: as a join PostgreSQL may go through the stock of the whole shop.
    private static let available = "(SELECT s.on_hand - s.held FROM stock s WHERE s.sku = v.sku)"
    static let count = 6

    /// Joins the rows of an offer, as v and p, to the moment, m (`EffectivePrice.moment`). Nothing of a season that has
    /// not begun is offered.
    ///
    /// - Parameter sku: the column or value that the SKU is compared with, as `= l.sku`.
    static func joins(sku: String) -> String {
        """
        JOIN current_variants v ON v.sku \(sku)
        JOIN current_products p ON p.id = v.product_id
            AND COALESCE((SELECT starts_at FROM seasons WHERE seasons.id = p.season_id), m.now) <= m.now
        """
    }

    static func offer(_ row: SQLRow, currency: Currency) throws -> Offer {
        Offer(
            sku: try row.text(0),
            productHandle: try row.text(1),
            categoryId: try row.text(2),
            weightGrams: try row.int(3),
            price: Money(try row.integer(4), currency),
            available: try row.int(5)
        )
    }

    static let descriptionColumns = "p.name, p.images, v.options"

    /// - Parameter first: where the columns begin.
    static func description(_ row: SQLRow, from first: Int) throws -> OfferDescription {
        OfferDescription(
            name: try row.text(first),
            image: try row.json(first + 1, [ProductImage].self).first,
            options: try row.json(first + 2)
        )
    }
}
