import Foundation
import PouchDomain
import PouchEntities

struct SQLCarts: CartRepository {
    let connection: any SQLConnection
    let currency: Currency

    func cart(ownerId: String) throws -> CartRecord? {
        try connection.row(
            """
            SELECT version, shipping_method_id, shipping_address, changes, updated_at
            FROM carts WHERE owner_id = ?
            """,
            [.text(ownerId)]
        ).map { row in
            CartRecord(
                ownerId: ownerId,
                version: try row.int(0),
                shippingMethodId: try row.optional(1, SQLRow.text),
                shippingAddress: try row.optionalJSON(2),
                changes: try row.json(3),
                updatedAt: try row.date(4)
            )
        }
    }

    func save(_ cart: CartRecord) throws -> Bool {
        let values: [SQLValue] = [
            .integer(cart.version), .optional(cart.shippingMethodId), try StoredJSON.optional(cart.shippingAddress),
            try StoredJSON.text(cart.changes), .time(cart.updatedAt), .text(cart.ownerId),
        ]
        if cart.version == 1 {
            return try connection.run(
                """
                INSERT INTO carts (version, shipping_method_id, shipping_address, changes, updated_at, owner_id)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (owner_id) DO NOTHING
                """, values) == 1
        }
        return try connection.run(
            """
            UPDATE carts SET version = ?, shipping_method_id = ?, shipping_address = ?, changes = ?, updated_at = ?
            WHERE owner_id = ? AND version = ?
            """, values + [.integer(cart.version - 1)]) == 1
    }

    func delete(ownerId: String) throws {
        try removeLines(ownerId: ownerId)
        try connection.run("DELETE FROM carts WHERE owner_id = ?", [.text(ownerId)])
    }

    func lines(ownerId: String) throws -> [PricedLine] {
        try connection.rows(
            """
            SELECT \(OfferRow.columns), l.quantity, l.seen_price
            FROM (\(EffectivePrice.moment)) m JOIN cart_lines l ON 1 = 1 \(OfferRow.joins(sku: "= l.sku"))
            WHERE l.owner_id = ? ORDER BY l.position, l.sku
            """,
            [.time(Date()), .text(ownerId)]
        ).map { row in
            try PricedLine(
                offer: OfferRow.offer(row, currency: currency),
                quantity: try row.int(OfferRow.count),
                seenPrice: Money(try row.integer(OfferRow.count + 1), currency)
            )
        }
    }

    func lineCount(ownerId: String) throws -> Int {
        try connection.row("SELECT COUNT(*) FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])?.int(0) ?? 0
    }

    func quantity(ownerId: String, sku: String) throws -> Int {
        try connection.row(
            "SELECT quantity FROM cart_lines WHERE owner_id = ? AND sku = ?", [.text(ownerId), .text(sku)]
        )?.int(0) ?? 0
    }

    func setLine(ownerId: String, sku: String, quantity: Int, seenPrice: Money) throws {
        try connection.run(
            """
            INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
            VALUES (?, ?, (SELECT COALESCE(MAX(position), 0) + 1 FROM cart_lines WHERE owner_id = ?), ?, ?)
            ON CONFLICT (owner_id, sku)
            DO UPDATE SET quantity = excluded.quantity, seen_price = excluded.seen_price
            """,
            [.text(ownerId), .text(sku), .text(ownerId), .integer(quantity), .integer(seenPrice.amount)])
    }

    func acknowledgePrices(ownerId: String) throws {
        let now = SQLValue.time(Date())
        let price = """
            (SELECT \(EffectivePrice.sql) FROM (\(EffectivePrice.moment)) m
                JOIN current_variants v ON v.sku = cart_lines.sku)
            """
        try connection.run(
            """
            UPDATE cart_lines SET seen_price = \(price) WHERE owner_id = ? AND seen_price <> \(price)
            """, [now, .text(ownerId), now])
    }

    func removeLine(ownerId: String, sku: String) throws {
        try connection.run("DELETE FROM cart_lines WHERE owner_id = ? AND sku = ?", [.text(ownerId), .text(sku)])
    }

    func removeLines(ownerId: String) throws {
        try connection.run("DELETE FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])
    }
}
