import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var figures: any FigureRepository { SQLFigures(connection: connection, currency: currency) }
}

/// Sums of amounts that may exceed 64 bits.
enum SQLSum {
    /// The sum of whole numbers, which stops at the maximum number instead of failing.
    static func saturating(_ number: String) -> String {
        let (high, low) = ("SUM((\(number)) / 1000000000)", "SUM((\(number)) % 1000000000)")
        let size = "\(high) + \(low) / 1000000000"
        return """
            CASE WHEN \(size) >= 9223372036 THEN 9223372036000000000 WHEN \(size) <= -9223372036 THEN -9223372036000000000
            ELSE \(high) * 1000000000 + \(low) END
            """
    }
}

/// Sums over orders, refunds and stock. The orders and refunds of a period are a range of the primary key.
struct SQLFigures: FigureRepository {
    let connection: any SQLConnection
    let currency: Currency

    /// Whether an order `o` was charged.
    static let isPaid = "o.payment_status IN ('captured', 'partiallyRefunded', 'refunded')"

    func sales(in periods: [DateInterval]) throws -> [SalesFigures] {
        let json = connection.dialect.json
        func total(_ name: String) -> String { SQLSum.saturating(json.number("o.totals", name, "amount")) }
        let orders = try sums(
            [
                "COUNT(*)", total("items"), total("discount"), total("shipping"), total("tax"),
                SQLSum.saturating("o.payment_amount"),
            ],
            over: "orders o", "o", .order, where: Self.isPaid, in: periods)
        let units = try sums(
            ["SUM(\(json.number("line.value", "quantity")))"],
            over: "orders o CROSS JOIN \(json.elements("o.lines")) line", "o", .order, where: Self.isPaid, in: periods)
        let refunds = try sums(
            [SQLSum.saturating("r.amount"), SQLSum.saturating("r.tax")], over: "refunds r", "r", .refund, in: periods)
        return try periods.indices.map { period in
            func money(_ sum: Int64) -> Money { Money(sum, currency) }
            let (order, refund) = (orders[period], refunds[period])
            let (charged, refunded) = (money(order[5]), money(refund[0]))
            return SalesFigures(
                orders: Int(order[0]), units: Int(units[period][0]), gross: money(order[1]),
                discounts: money(order[2]), shipping: money(order[3]),
                tax: try money(order[4]).subtracting(money(refund[1])), charged: charged, refunds: refunded,
                net: try charged.subtracting(refunded))
        }
    }

    /// The sums over the rows of each period, in one statement for all periods, since a report has up to 400.
    ///
    /// - Parameters:
    ///   - tables: the tables to sum over, as after `FROM`; `table` is the name of the table in it whose rows the
    ///     periods limit.
    private func sums(
        _ sums: [String], over tables: String, _ table: String, _ kind: Identifier.Kind,
        where condition: String = "TRUE", in periods: [DateInterval]
    ) throws -> [[Int64]] {
        let wanted = SQLList.table(
            "period (number, first_id, end_id, starts_at, ends_at)",
            types: ["BIGINT", "TEXT", "TEXT", "BIGINT", "BIGINT"],
            periods.enumerated().map { number, period in
                [.integer(number)] + Period.bounds(kind, from: period.start, until: period.end)
            })
        let isWithin = Period.condition(
            on: table, ids: ("period.first_id", "period.end_id"), times: ("period.starts_at", "period.ends_at"))
        let columns = sums.map { "CAST(COALESCE(\($0), 0) AS BIGINT)" }.joined(separator: ", ")
        let rows = try connection.rows(
            """
            \(wanted.sql)
            SELECT period.number, \(columns) FROM period CROSS JOIN \(tables)
            WHERE \(isWithin) AND \(condition)
            GROUP BY period.number
            """, wanted.arguments)
        // A period without rows has no row here.
        var values = Array(repeating: Array(repeating: Int64(0), count: sums.count), count: periods.count)
        for row in rows { values[try row.int(0)] = try sums.indices.map { try row.integer($0 + 1) } }
        return values
    }

    func bestSellers(from: Date, until: Date, by rank: BestSellerRank, limit: Int) throws -> [BestSeller] {
        let json = connection.dialect.json
        let orders = Period("o", .order, from: from, until: until)
        let refunds = Period("r", .refund, from: from, until: until)
        let sku = json.text("line.value", "sku")
        let paid =
            "\(json.number("line.value", "lineTotal", "amount")) - \(json.number("line.value", "discount", "amount"))"
        // A refund of the whole charge, such as that of a cancelled order, need not name units. The returned units of a
        // line are worth their share of what was paid for it, rounded as in `RefundCalculator`.
        return try connection.rows(
            """
            WITH returned AS (
                SELECT r.order_id, \(json.text("unit.value", "sku")) AS sku,
                    CAST(SUM(\(json.number("unit.value", "quantity"))) AS BIGINT) AS units
                FROM refunds r CROSS JOIN \(json.elements("r.lines")) unit WHERE \(refunds.condition) GROUP BY 1, 2
            ), given_back AS (
                SELECT r.order_id FROM refunds r JOIN orders o ON o.id = r.order_id WHERE \(refunds.condition)
                GROUP BY r.order_id, o.payment_amount, o.status
                HAVING SUM(r.amount) >= o.payment_amount AND (o.payment_amount > 0 OR o.status = 'cancelled')
            ), sold AS (
                SELECT o.id || ' ' || \(json.text("line.value", "name")) AS named, \(sku) AS sku,
                    \(json.number("line.value", "quantity")) AS quantity, \(paid) AS paid,
                    COALESCE(returned.units, 0) AS returned
                FROM orders o CROSS JOIN \(json.elements("o.lines")) line
                LEFT JOIN returned ON returned.order_id = o.id AND returned.sku = \(sku)
                WHERE \(orders.condition) AND \(Self.isPaid) AND o.id NOT IN (SELECT order_id FROM given_back)
            )
            SELECT sku, MAX(named), CAST(SUM(quantity - returned) AS BIGINT),
                CAST(\(SQLSum.saturating("paid - (2 * paid * returned + quantity) / (2 * quantity)")) AS BIGINT)
            FROM sold GROUP BY sku HAVING SUM(quantity - returned) > 0
            ORDER BY \(rank == .units ? "3 DESC, 4 DESC" : "4 DESC, 3 DESC"), sku LIMIT ?
            """, refunds.arguments + refunds.arguments + orders.arguments + [.integer(limit)]
        ).map { row in
            // The latest order's id precedes the name, so that the greatest text has the latest name.
            let name = try row.text(1).split(separator: " ", maxSplits: 1).last.map(String.init)
            return BestSeller(
                sku: try row.text(0), name: name ?? "", units: try row.int(2),
                revenue: Money(try row.integer(3), currency))
        }
    }

    func stockLevels(atMost most: Int?, after sku: String?, limit: Int) throws -> [StockLevel] {
        try connection.rows(
            """
            SELECT s.sku, p.handle, p.name, v.options, s.on_hand, s.held
            FROM stock s JOIN current_variants v ON v.sku = s.sku JOIN current_products p ON p.id = v.product_id
            WHERE s.sku > ?\(most == nil ? "" : " AND s.on_hand - s.held <= ?") ORDER BY s.sku LIMIT ?
            """, [.text(sku ?? "")] + (most.map { [.integer($0)] } ?? []) + [.integer(limit)]
        ).map { row in
            let (onHand, held) = (try row.int(4), try row.int(5))
            return StockLevel(
                sku: try row.text(0), productHandle: try row.text(1), name: try row.text(2),
                options: try row.json(3), onHand: onHand, held: held, available: onHand - held)
        }
    }

    /// A condition on the rows of a period.
    private struct Period {
        let condition: String
        let arguments: [SQLValue]

        init(_ table: String, _ kind: Identifier.Kind, from: Date, until: Date) {
            condition = Self.condition(on: table, ids: ("?", "?"), times: ("?", "?"))
            arguments = Self.bounds(kind, from: from, until: until)
        }

        static func condition(on table: String, ids: (String, String), times: (String, String)) -> String {
            """
            \(table).id >= \(ids.0) AND \(table).id < \(ids.1)
                AND \(table).created_at >= \(times.0) AND \(table).created_at < \(times.1)
            """
        }

        /// The first and last ids, and the start and end times.
        static func bounds(_ kind: Identifier.Kind, from: Date, until: Date) -> [SQLValue] {
            let ids = Identifier.ids(kind, from: from, until: until)
            return [.optional(ids.first), .optional(ids.end), .time(from), .time(until)]
        }
    }
}

extension SQLDialect {
    /// The expressions that read values from a JSON column.
    var json: JSONExpressions { JSONExpressions(usesFunctions: self == .sqlite) }

    struct JSONExpressions {
        /// Whether JSON is read with functions, as in SQLite, or with operators, as in PostgreSQL.
        fileprivate let usesFunctions: Bool

        func number(_ column: String, _ path: String...) -> String {
            usesFunctions ? extracted(column, path) : "CAST(\(extracted(column, path)) AS BIGINT)"
        }

        func text(_ column: String, _ path: String...) -> String { extracted(column, path) }

        /// A table with a column `value` that has the elements of an array.
        func elements(_ column: String) -> String {
            usesFunctions ? "json_each(\(column))" : "json_array_elements(CAST(\(column) AS JSON))"
        }

        private func extracted(_ column: String, _ path: [String]) -> String {
            usesFunctions
                ? "json_extract(\(column), '$.\(path.joined(separator: "."))')"
                : "(CAST(\(column) AS JSON) #>> '{\(path.joined(separator: ","))}')"
        }
    }
}
