import PouchDomain
import PouchEntities

/// How an offer stands in the tables.
enum OfferRow {
    static let columns = """
        v.sku, p.handle, p.name, p.images, v.options, p.category_id, COALESCE(v.weight_grams, 0), v.price,
        s.on_hand - s.held
        """
    /// The variant comes last, so that a query can say behind it by what it is joined.
    static let joins = """
        JOIN (variants v JOIN products p ON p.id = v.product_id JOIN stock s ON s.sku = v.sku)
        """
    static let count = 9

    static func offer(_ row: SQLRow, currency: Currency) throws -> Offer {
        Offer(
            sku: try row.text(0),
            productHandle: try row.text(1),
            name: try row.text(2),
            image: try row.json(3, [ProductImage].self).first,
            options: try row.json(4),
            categoryId: try row.text(5),
            weightGrams: try row.int(6),
            price: Money(try row.integer(7), currency),
            available: try row.int(8)
        )
    }
}
