import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var carts: any CartRepository { SQLCarts(connection: connection, currency: currency) }
}

struct SQLCarts: CartRepository {
    let connection: any SQLConnection
    let currency: Currency

    func cart(ownerId: String) throws -> CartRecord? {
        try connection.row(
            """
            SELECT version, shipping_method_id, shipping_address, discount_code, changes, updated_at
            FROM carts WHERE owner_id = ?
            """,
            [.text(ownerId)]
        ).map { row in
            CartRecord(
                ownerId: ownerId,
                version: try row.int(0),
                shippingMethodId: try row.optional(1, SQLRow.text),
                shippingAddress: try row.optionalJSON(2),
                discountCode: try row.optional(3, SQLRow.text),
                changes: try row.json(4),
                updatedAt: try row.date(5)
            )
        }
    }

    func save(_ cart: CartRecord) throws -> Bool {
        let values: [SQLValue] = [
            .integer(cart.version), .optional(cart.shippingMethodId), try .json(cart.shippingAddress),
            .optional(cart.discountCode), try .json(cart.changes), .time(cart.updatedAt),
            .text(cart.ownerId),
        ]
        if cart.version == 1 {
            return try connection.run(
                """
                INSERT INTO carts (
                    version, shipping_method_id, shipping_address, discount_code, changes, updated_at, owner_id
                ) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (owner_id) DO NOTHING
                """, values) == 1
        }
        return try connection.run(
            """
            UPDATE carts SET version = ?, shipping_method_id = ?, shipping_address = ?, discount_code = ?,
                changes = ?, updated_at = ?
            WHERE owner_id = ? AND version = ?
            """, values + [.integer(cart.version - 1)]) == 1
    }

    func delete(ownerId: String) throws {
        try removeLines(ownerId: ownerId)
        try connection.run("DELETE FROM carts WHERE owner_id = ?", [.text(ownerId)])
    }

    func lines(ownerId: String, at: Date) throws -> [PricedLine] {
        try connection.rows(
            """
            SELECT \(OfferRow.columns), l.quantity, l.seen_price
            FROM (\(EffectivePrice.moment)) m JOIN cart_lines l ON 1 = 1 \(OfferRow.joins(sku: "= l.sku"))
            WHERE l.owner_id = ? ORDER BY l.position, l.sku
            """,
            [.time(at), .text(ownerId)]
        ).map { row in
            try PricedLine(
                offer: OfferRow.offer(row, currency: currency),
                quantity: try row.int(OfferRow.count),
                seenPrice: Money(try row.integer(OfferRow.count + 1), currency)
            )
        }
    }

    func descriptions(ownerId: String) throws -> [String: OfferDescription] {
        try connection.rows(
            """
            SELECT l.sku, \(OfferRow.descriptionColumns)
            FROM cart_lines l JOIN current_variants v ON v.sku = l.sku JOIN current_products p ON p.id = v.product_id
            WHERE l.owner_id = ?
            """, [.text(ownerId)]
        ).byText { try OfferRow.description($0, from: 1) }
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

    func putBack(ownerId: String, _ lines: [CartUnits]) throws -> [CartUnits] {
        let positions = try connection.rows(
            "SELECT sku, position FROM cart_lines WHERE owner_id = ?", [.text(ownerId)]
        ).byText { try $0.int(1) }
        let added = lines.filter { positions[$0.sku] == nil }
        let leftOut = Array(added.dropFirst(max(0, ModelLimits.lines - positions.count)))
        let (last, most) = (positions.values.max() ?? 0, ModelLimits.quantity.upperBound)
        let skus = Set(leftOut.map(\.sku))
        try connection.insert(
            into: "cart_lines (owner_id, sku, position, quantity, seen_price)",
            lines.filter { !skus.contains($0.sku) }.enumerated().map { index, line in
                [
                    .text(ownerId), .text(line.sku), .integer(last + 1 + index), .integer(line.quantity),
                    .integer(line.seenPrice.amount),
                ]
            },
            """
            ON CONFLICT (owner_id, sku) DO UPDATE SET seen_price = excluded.seen_price,
                quantity = CASE WHEN cart_lines.quantity + excluded.quantity > \(most) THEN \(most)
                    ELSE cart_lines.quantity + excluded.quantity END
            """)
        return leftOut
    }

    func acknowledge(ownerId: String, _ prices: [String: Money]) throws {
        let wanted = SQLList.wanted(prices.map { ($0, $1.amount) })
        try connection.run(
            """
            \(wanted.sql)
            UPDATE cart_lines SET seen_price = wanted_value FROM wanted WHERE owner_id = ? AND sku = wanted_sku
            """, wanted.arguments + [.text(ownerId)])
    }

    func removeLine(ownerId: String, sku: String) throws {
        try connection.run("DELETE FROM cart_lines WHERE owner_id = ? AND sku = ?", [.text(ownerId), .text(sku)])
    }

    @discardableResult
    func removeLines(ownerId: String) throws -> [CartUnits] {
        let rows = try connection.rows(
            "DELETE FROM cart_lines WHERE owner_id = ? RETURNING position, sku, quantity, seen_price",
            [.text(ownerId)])
        return try rows.map { row in
            (
                position: try row.int(0),
                units: CartUnits(
                    sku: try row.text(1), quantity: try row.int(2), seenPrice: Money(try row.integer(3), currency))
            )
        }
        .sorted { ($0.position, $0.units.sku) < ($1.position, $1.units.sku) }
        .map(\.units)
    }
}
