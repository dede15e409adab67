import PouchDomain
import PouchEntities

/// How an offer stands in the tables.
enum OfferRow {
    static let columns = """
        v.sku, p.handle, p.category_id, COALESCE(v.weight_grams, 0), v.price, s.on_hand - s.held
        """
    /// The variant comes last, so that a query can say behind it by what it is joined.
    static let joins = """
        JOIN (variants v JOIN products p ON p.id = v.product_id JOIN stock s ON s.sku = v.sku)
        """
    static let count = 6

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
