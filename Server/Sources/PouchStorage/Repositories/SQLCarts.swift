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
        try connection.row("SELECT \(CartRow.columns) FROM carts c WHERE c.owner_id = ?", [.text(ownerId)]).flatMap {
            try CartRow.record($0, ownerId: ownerId, from: 0)
        }
    }

    func head(ownerId: String, sku: String?, at: Date) throws -> CartHead {
        let row = try connection.row(
            """
            SELECT k.version, (SELECT MIN(starts_at) FROM seasons WHERE starts_at > m.now),
                (SELECT MIN(publish_at) FROM products WHERE publish_at > m.now),
                l.sku, l.quantity, l.seen_price, \(Self.priceChange), \(Self.withdrawal),
                \(CartRow.columns), \(OfferRow.columns), \(OfferRow.descriptionColumns)
            FROM (\(EffectivePrice.moment)) m JOIN catalog_version k ON 1 = 1
            LEFT JOIN carts c ON c.owner_id = ?
            LEFT JOIN cart_lines l ON l.owner_id = ? AND l.sku = ?
            LEFT \(OfferRow.variant(sku: "= ?"))
            LEFT \(OfferRow.product)
            """, [.time(at), .text(ownerId), .text(ownerId), .optional(sku), .optional(sku)])
        guard let row else { throw StorageError.corrupt("the catalogue's version is missing") }
        let (cart, offer) = (8, 8 + CartRow.count)
        return CartHead(
            record: try CartRow.record(row, ownerId: ownerId, from: cart) ?? .new(ownerId: ownerId, at: at),
            catalogVersion: try row.integer(0),
            nextOffering: try row.earliest(1, 2),
            units: try row.optional(3, SQLRow.text).map { sku in
                CartUnits(sku: sku, quantity: try row.int(4), seenPrice: Money(try row.integer(5), currency))
            },
            offer: try OfferRow.isOffered(row, from: offer)
                ? DescribedOffer(
                    offer: try OfferRow.offer(row, from: offer, currency: currency),
                    description: try OfferRow.description(row, from: offer + OfferRow.count)) : nil,
            changesAt: try row.earliest(6, 7))
    }

    func save(_ cart: CartRecord) throws -> Bool {
        let sums = cart.sums
        let values: [SQLValue] = [
            .integer(cart.version), .optional(cart.shippingMethodId), try .json(cart.shippingAddress),
            .optional(cart.discountCode), try .json(cart.changes), .time(cart.updatedAt),
            .integer(cart.version), .optional(cart.nextPosition), .optional(sums?.lineCount), .optional(sums?.grams),
            try .json(sums?.categories), .optional(sums.map { $0.pricesIncludeTax ? 1 : 0 }),
            .optional(sums?.prices?.catalogVersion), .time(sums?.prices?.from), .time(sums?.prices?.until),
            .text(cart.ownerId),
        ]
        if cart.version == 1 {
            let places = Array(repeating: "?", count: values.count).joined(separator: ", ")
            return try connection.run(
                """
                INSERT INTO carts (\(CartRow.names.joined(separator: ", ")), owner_id) VALUES (\(places))
                ON CONFLICT (owner_id) DO NOTHING
                """, values) == 1
        }
        let assignments = CartRow.names.map { "\($0) = ?" }.joined(separator: ", ")
        return try connection.run(
            "UPDATE carts SET \(assignments) WHERE owner_id = ? AND version = ?",
            values + [.integer(cart.version - 1)]) == 1
    }

    func delete(ownerId: String) throws {
        try removeLines(ownerId: ownerId)
        try connection.run("DELETE FROM carts WHERE owner_id = ?", [.text(ownerId)])
    }

    func read(ownerId: String, describing: Bool, at: Date) throws -> (record: CartRecord, contents: CartContents) {
        let rows = try connection.rows(
            """
            SELECT \(OfferRow.columns), l.sku, l.quantity, l.seen_price, \(Self.priceChange), \(Self.withdrawal),
                \(CartRow.columns)\
            \(describing ? ", \(OfferRow.descriptionColumns)" : "")
            FROM (\(EffectivePrice.moment)) m
            LEFT JOIN carts c ON c.owner_id = ?
            LEFT JOIN cart_lines l ON l.owner_id = ?
            LEFT \(OfferRow.variant(sku: "= l.sku"))
            LEFT \(OfferRow.product)
            ORDER BY l.position, l.sku
            """, [.time(at), .text(ownerId), .text(ownerId)])
        let (units, cart, description) = (OfferRow.count, OfferRow.count + 5, OfferRow.count + 5 + CartRow.count)
        let offered = try rows.filter { try OfferRow.isOffered($0) }
        let contents = CartContents(
            lines: try offered.map { row in
                try PricedLine(
                    offer: OfferRow.offer(row, currency: currency), quantity: try row.int(units + 1),
                    seenPrice: Money(try row.integer(units + 2), currency))
            },
            notOffered: try rows.compactMap { row in
                guard try !OfferRow.isOffered(row), let sku = try row.optional(units, SQLRow.text) else { return nil }
                return CartUnits(
                    sku: sku, quantity: try row.int(units + 1), seenPrice: Money(try row.integer(units + 2), currency))
            },
            descriptions: describing ? try offered.byText { try OfferRow.description($0, from: description) } : nil,
            changesAt: try offered.compactMap { try $0.earliest(units + 3, units + 4) }.min())
        return (try CartRow.record(rows[0], ownerId: ownerId, from: cart) ?? .new(ownerId: ownerId, at: at), contents)
    }

    /// The time of the next change of the scheduled price of variant v after the moment m.
    private static let priceChange = """
        (SELECT MIN(CASE WHEN e.starts_at > m.now THEN e.starts_at ELSE e.ends_at END) FROM scheduled_prices e
            WHERE e.sku = v.sku AND e.ends_at > m.now)
        """

    /// The time at which the product p is withdrawn.
    private static let withdrawal = "CASE WHEN p.withdraw_at > m.now THEN p.withdraw_at END"

    func setLine(ownerId: String, _ line: CartUnits, newPosition: Int?) throws -> Int {
        let row = try connection.row(
            """
            INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
            VALUES (?, ?, COALESCE(CAST(? AS BIGINT), \(Self.lastPosition) + 1), ?, ?)
            ON CONFLICT (owner_id, sku)
            DO UPDATE SET quantity = excluded.quantity, seen_price = excluded.seen_price
            RETURNING position
            """,
            [
                .text(ownerId), .text(line.sku), .optional(newPosition), .text(ownerId), .integer(line.quantity),
                .integer(line.seenPrice.amount),
            ])
        guard let row else { throw StorageError.corrupt("a line was not written") }
        return try row.int(0)
    }

    func setLines(ownerId: String, _ lines: [CartUnits]) throws {
        try write(
            lines, ownerId: ownerId, onConflict: "seen_price = excluded.seen_price, quantity = excluded.quantity")
    }

    func putBack(ownerId: String, _ lines: [CartUnits]) throws -> [CartUnits] {
        let present = Set(
            try connection.rows("SELECT sku FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])
                .map { try $0.text(0) })
        let added = lines.filter { !present.contains($0.sku) }
        let leftOut = Array(added.dropFirst(max(0, ModelLimits.lines - present.count)))
        let skus = Set(leftOut.map(\.sku))
        let most = ModelLimits.quantity.upperBound
        try write(
            lines.filter { !skus.contains($0.sku) }, ownerId: ownerId,
            onConflict: """
                seen_price = excluded.seen_price,
                quantity = CASE WHEN cart_lines.quantity + excluded.quantity > \(most) THEN \(most)
                    ELSE cart_lines.quantity + excluded.quantity END
                """)
        return leftOut
    }

    /// Adds the lines at the end, or changes existing ones, in one statement.
    private func write(_ lines: [CartUnits], ownerId: String, onConflict assignments: String) throws {
        guard !lines.isEmpty else { return }
        let wanted = SQLList.table(
            "wanted (wanted_sku, place, quantity, price)", types: ["TEXT", "BIGINT", "BIGINT", "BIGINT"],
            lines.enumerated().map { place, line in
                [.text(line.sku), .integer(place + 1), .integer(line.quantity), .integer(line.seenPrice.amount)]
            })
        try connection.run(
            """
            \(wanted.sql)
            INSERT INTO cart_lines (owner_id, sku, position, quantity, seen_price)
            SELECT CAST(? AS TEXT), wanted_sku, \(Self.lastPosition) + place, quantity, price
            FROM wanted WHERE wanted_sku IS NOT NULL
            ON CONFLICT (owner_id, sku) DO UPDATE SET \(assignments)
            """, wanted.arguments + [.text(ownerId), .text(ownerId)])
    }

    /// The position of the owner's last line, whether or not it is offered.
    private static let lastPosition =
        "(SELECT COALESCE(MAX(o.position), 0) FROM cart_lines o WHERE o.owner_id = ?)"

    func acknowledge(ownerId: String, _ prices: [String: Money]) throws {
        let wanted = SQLList.wanted(prices.map { ($0, $1.amount) })
        try connection.run(
            """
            \(wanted.sql)
            UPDATE cart_lines SET seen_price = wanted_value FROM wanted WHERE owner_id = ? AND sku = wanted_sku
            """, wanted.arguments + [.text(ownerId)])
    }

    func removeLines(ownerId: String, skus: [String]) throws {
        guard !skus.isEmpty else { return }
        let places = SQLList.places(skus.map(SQLValue.text))
        try connection.run(
            "DELETE FROM cart_lines WHERE owner_id = ? AND sku IN \(places.sql)", [.text(ownerId)] + places.arguments)
    }

    func removeLines(ownerId: String) throws {
        try connection.run("DELETE FROM cart_lines WHERE owner_id = ?", [.text(ownerId)])
    }
}

extension SQLRow {
    /// The earlier of two times, each of which may be NULL.
    fileprivate func earliest(_ first: Int, _ second: Int) throws -> Date? {
        try [first, second].compactMap { try optional($0, SQLRow.date) }.min()
    }
}

/// The columns of the head of a cart, as c.
private enum CartRow {
    static let names = [
        "version", "shipping_method_id", "shipping_address", "discount_code", "changes", "updated_at",
        "summed_version", "next_position", "line_count", "grams", "sums", "includes_tax", "priced_version",
        "priced_from", "priced_until",
    ]
    static let columns = names.map { "c." + $0 }.joined(separator: ", ")
    static let count = names.count

    /// - Returns: nil if the row has no cart.
    static func record(_ row: SQLRow, ownerId: String, from first: Int) throws -> CartRecord? {
        guard let version = try row.optional(first, SQLRow.int) else { return nil }
        // An older server, which writes no sums, leaves those of an earlier version.
        let isSummed = try row.optional(first + 6, SQLRow.int) == version
        return CartRecord(
            ownerId: ownerId,
            version: version,
            shippingMethodId: try row.optional(first + 1, SQLRow.text),
            shippingAddress: try row.optionalJSON(first + 2),
            discountCode: try row.optional(first + 3, SQLRow.text),
            changes: try row.json(first + 4),
            updatedAt: try row.date(first + 5),
            sums: isSummed ? try sums(row, from: first + 8) : nil,
            nextPosition: isSummed ? try row.optional(first + 7, SQLRow.int) : nil
        )
    }

    private static func sums(_ row: SQLRow, from first: Int) throws -> CartSums? {
        guard let lineCount = try row.optional(first, SQLRow.int) else { return nil }
        let prices = try row.optional(first + 4, SQLRow.integer).map { version in
            CartSums.Prices(
                catalogVersion: version, from: try row.date(first + 5),
                until: try row.optional(first + 6, SQLRow.date))
        }
        return CartSums(
            prices: prices, lineCount: lineCount, grams: try row.int(first + 1),
            pricesIncludeTax: try row.int(first + 3) == 1, categories: try row.json(first + 2))
    }
}
