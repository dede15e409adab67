import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var orders: any OrderRepository { SQLOrders(connection: connection) }
}

/// Stores an order as one row, with lines and history as JSON.
///
/// The table `holds` also has the units that an order holds. Database triggers write and delete them with the order, so
/// that they are exact with every release of the server, and need no statement.
struct SQLOrders: OrderRepository {
    let connection: any SQLConnection

    func reserveNumbers(_ count: Int) throws -> Int64 {
        let sql = "UPDATE order_numbers SET last = last + ? RETURNING last"
        guard let row = try connection.row(sql, [.integer(count)]) else {
            throw StorageError.corrupt("the order number is missing")
        }
        return try row.integer(0) - Int64(count) + 1
    }

    func returnNumbers(_ numbers: ClosedRange<Int64>) throws {
        try connection.run(
            "UPDATE order_numbers SET last = ? WHERE last = ?",
            [.integer(numbers.lowerBound - 1), .integer(numbers.upperBound)])
    }

    func returnNumbersAfterLatest(within count: Int) throws {
        guard let last = try connection.row("SELECT last FROM order_numbers", [])?.integer(0) else { return }
        let texts = (0..<Int64(count)).map { SQLValue.text(OrderNumbers.text(last - $0)) }
        let places = SQLList.places(texts)
        let used = try connection.rows("SELECT number FROM orders WHERE number IN \(places.sql)", places.arguments)
            .compactMap { OrderNumbers.value(of: try $0.text(0)) }.max()
        let isFirst = try connection.row("SELECT 1 FROM orders LIMIT 1", []) == nil && last - Int64(count) < Self.first
        guard let latest = used ?? (isFirst ? Self.first - 1 : nil), latest < last else { return }
        try connection.run(
            "UPDATE order_numbers SET last = ? WHERE last = ?", [.integer(latest), .integer(last)])
    }

    /// The first number of a shop.
    private static let first: Int64 = 10_001

    func insert(_ record: OrderRecord) throws {
        let order = record.order
        try connection.send(
            """
            INSERT INTO orders (\(Self.columns), is_searchable)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
            """,
            [
                .text(order.id), .text(order.number), .text(record.ownerId), .integer(record.version),
                .text(order.status.rawValue), try .json(order.totals),
                try .json(order.shipping), .optional(order.email), .integer(record.fromCart ? 1 : 0),
                .text(order.payment.id), .text(order.payment.status.rawValue), .integer(order.payment.amount.amount),
                .integer(order.payment.refunded.amount), .text(order.payment.amount.currency.code),
                .text(record.ledgerId), .time(order.createdAt), try .json(order.lines),
                try .json(order.history), try .json(record.discount),
                .time(record.hold.expiresAt), .integer(record.hold.isReleased ? 1 : 0), .optional(order.rideId),
                try .json(order.deliveryFailure), .integer(record.grams), try .json(order.tracking),
            ])
        try SQLSearchTerms(connection: connection).insert(SearchTerm.terms(of: order), of: order.id)
    }

    func order(id: String, locking: Bool) throws -> OrderRecord? {
        try connection.row(id, of: "orders", Self.columns, locking: locking).map(Self.record)
    }

    func orders(ownerId: String, after id: String?, limit: Int) throws -> [OrderRecord] {
        let page = SQLPage(where: [("owner_id", ownerId)], after: id, limit: limit)
        return try orders(page.sql, page.arguments)
    }

    func id(number: String) throws -> String? {
        try connection.row("SELECT id FROM orders WHERE number = ?", [.text(number)])?.text(0)
    }

    func orders(matching search: OrderSearch, after id: String?, limit: Int) throws -> [OrderRecord] {
        let (sql, arguments) = Self.page(of: search, after: id, limit: limit, connection.dialect.json)
        return try connection.rows("SELECT \(Self.columns) \(sql)", arguments).map(Self.record)
    }

    func unsent(limit: Int) throws -> (count: Int, oldest: Date?) {
        // The oldest orders have the first ids, which the index has in order.
        try connection.row(
            """
            SELECT COUNT(*), MIN(created_at) FROM (
                SELECT o.created_at FROM orders o WHERE \(Self.isUnsent(connection.dialect.json)) ORDER BY o.id LIMIT ?
            ) AS unsent
            """, [.integer(limit)]
        ).map { (try $0.int(0), try $0.optional(1, SQLRow.date)) } ?? (0, nil)
    }

    static func page(
        of search: OrderSearch, after id: String?, limit: Int, _ json: SQLDialect.JSONExpressions
    ) -> (sql: String, arguments: [SQLValue]) {
        let ids = Identifier.ids(.order, from: search.from, until: search.until)
        let conditions: [(sql: String, value: SQLValue?)] = [
            ("o.number = ?", search.number.map(SQLValue.text)),
            ("o.status = ?", search.status.map { .text($0.rawValue) }),
            ("o.id >= ?", ids.first.map(SQLValue.text)), ("o.id < ?", ids.end.map(SQLValue.text)),
            ("o.created_at >= ?", search.from.map { .time($0) }),
            ("o.created_at < ?", search.until.map { .time($0) }),
        ]
        var given = conditions.filter { $0.value != nil }
        if search.isUnsent { given.append((isUnsent(json), nil)) }
        return SQLSearchTerms.page(of: "orders", "o", search.terms, given, after: id, limit: limit)
    }

    /// Whether an order `o` still has to be sent. The conditions on its columns are word for word those of the index
    /// `orders_unsent`, so that the databases use it. They refer to the history, since a partial refund hides whether
    /// an order was sent.
    private static func isUnsent(_ json: SQLDialect.JSONExpressions) -> String {
        let (refunded, ordered) = (json.number("line.value", "refundedQuantity"), json.number("line.value", "quantity"))
        return """
            o.status NOT IN ('pending', 'cancelled', 'refunded') AND o.history NOT LIKE '%"fulfilled"%'
            AND EXISTS (SELECT 1 FROM \(json.elements("o.lines")) line WHERE \(refunded) < \(ordered))
            """
    }

    func changed(since versions: [String: Int]) throws -> [OrderRecord] {
        try connection.rows(of: "orders", Self.columns, changedSince: versions).map(Self.record)
    }

    func settle(_ record: OrderRecord, status: OrderStatus, payment: Payment.Status, at: Date) throws -> OrderRecord? {
        guard OrderMachine.allows(.pending, to: status), PaymentMachine.allows(.pending, to: payment) else {
            return nil
        }
        let order = record.order
        let history = order.history + [Order.Event(status: status, at: at)]
        // With the ledger, the condition has the whole key of each index that PostgreSQL may choose. Without the
        // ledger, PostgreSQL reads the whole index of pending orders, including the space of those that ended since the
        // last vacuum.
        return try connection.row(
            """
            UPDATE orders SET status = ?, payment_status = ?, history = ?, version = version + 1
            WHERE id = ? AND ledger_id = ? AND status = 'pending'
            RETURNING owner_id, version, CASE WHEN shipping IS NULL THEN 0 ELSE 1 END, email, hold_released
            """,
            [
                .text(status.rawValue), .text(payment.rawValue), try .json(history), .text(order.id),
                .text(record.ledgerId),
            ]
        ).map { row in
            // Only these columns can change while an order is pending.
            OrderRecord(
                order: Order(
                    id: order.id, number: order.number, status: status, lines: order.lines, totals: order.totals,
                    payment: Payment(
                        id: order.payment.id, status: payment, amount: order.payment.amount,
                        refunded: order.payment.refunded),
                    shipping: try row.int(2) == 1 ? order.shipping : nil,
                    email: try row.optional(3, SQLRow.text),
                    createdAt: order.createdAt, history: history),
                ownerId: try row.text(0), version: try row.int(1), fromCart: record.fromCart,
                ledgerId: record.ledgerId, discount: record.discount,
                hold: .init(expiresAt: record.hold.expiresAt, isReleased: try row.int(4) == 1),
                grams: record.grams)
        }
    }

    func update(_ record: OrderRecord) throws -> Bool {
        let order = record.order
        return try connection.run(
            """
            UPDATE orders SET status = ?, payment_status = ?, refunded = ?, lines = ?, history = ?, shipping = ?,
                ride_id = ?, delivery_failure = ?, tracking = ?, version = version + 1
            WHERE id = ? AND version = ?
            """,
            [
                .text(order.status.rawValue), .text(order.payment.status.rawValue),
                .integer(order.payment.refunded.amount), try .json(order.lines),
                try .json(order.history), try .json(order.shipping), .optional(order.rideId),
                try .json(order.deliveryFailure), try .json(order.tracking), .text(order.id),
                .integer(record.version),
            ]) == 1
    }

    func delete(id: String) throws {
        guard let order = try order(id: id)?.order else { return }
        try SQLSearchTerms(connection: connection).delete(SearchTerm.terms(of: order), of: id)
        try connection.run("DELETE FROM orders WHERE id = ?", [.text(id)])
    }

    func latestLedgerId() throws -> String? {
        try connection.row("SELECT ledger_id FROM orders ORDER BY id DESC LIMIT 1", [])?.text(0)
    }

    func pending(ledgerId: String, after id: String?, limit: Int) throws -> [OrderRecord] {
        try orders(
            "WHERE ledger_id = ? AND status = 'pending' AND id > ? ORDER BY id LIMIT ?",
            [.text(ledgerId), .text(id ?? ""), .integer(limit)])
    }

    func oldestPending() throws -> Date? {
        try connection.date("SELECT MIN(created_at) FROM orders WHERE status = 'pending'")
    }

    func nextHoldExpiry() throws -> Date? {
        try connection.date("SELECT MIN(hold_expires_at) FROM orders WHERE status = 'pending' AND hold_released = 0")
    }

    func releaseExpiredHolds(of skus: [String], at: Date) throws -> [StockUnits] {
        guard !skus.isEmpty else { return [] }
        let places = SQLList.places(skus.map(SQLValue.text))
        return try releaseHolds(
            of: "SELECT order_id FROM holds WHERE sku IN \(places.sql) AND expires_at <= ?",
            places.arguments + [.time(at)]
        ).units
    }

    func releaseExpiredHolds(at: Date, limit: Int) throws -> (units: [StockUnits], orders: Int) {
        try releaseHolds(
            of: """
                SELECT id FROM orders WHERE \(Self.isHolding) AND hold_expires_at <= ?
                ORDER BY hold_expires_at LIMIT ?
                """, [.time(at), .integer(limit)])
    }

    /// Locks the orders by their ids, so that two transactions that release the same orders do not deadlock.
    ///
    /// - Parameter query: selects the ids.
    private func releaseHolds(of query: String, _ arguments: [SQLValue]) throws -> (units: [StockUnits], orders: Int) {
        let released: [[OrderLine]] = try connection.rows(
            """
            WITH holding AS (
                SELECT id FROM orders WHERE id IN (\(query)) AND \(Self.isHolding)
                ORDER BY id\(connection.dialect.rowLock)
            )
            UPDATE orders SET hold_released = 1 WHERE id IN (SELECT id FROM holding) RETURNING lines
            """, arguments
        ).map { try $0.json(0) }
        let units = released.joined().reduce(into: [String: Int]()) { $0[$1.sku, default: 0] += $1.quantity }
        return (
            units.map { StockUnits(sku: $0.key, quantity: $0.value) }.sorted { $0.sku < $1.sku }, released.count
        )
    }

    private static let isHolding = "status = 'pending' AND hold_released = 0"

    func move(from ownerId: String, to newOwnerId: String) throws {
        try connection.run(
            "UPDATE orders SET owner_id = ? WHERE owner_id = ?", [.text(newOwnerId), .text(ownerId)])
    }

    func anonymise(id: String) throws {
        guard let order = try order(id: id)?.order else { return }
        try SQLSearchTerms(connection: connection).delete(
            SearchTerm.terms(of: order).filter { !$0.isSKU }, of: order.id)
        try connection.run("DELETE FROM order_notes WHERE order_id = ?", [.text(id)])
        try connection.run(
            """
            UPDATE orders SET email = NULL, shipping = NULL, tracking = NULL, anonymise_at = NULL, version = version + 1
            WHERE id = ?
            """, [.text(id)])
    }

    func anonymise(id: String, at time: Date) throws {
        try connection.run("UPDATE orders SET anonymise_at = ? WHERE id = ?", [.time(time), .text(id)])
    }

    func dueForAnonymity(at time: Date, limit: Int) throws -> [OrderRecord] {
        try orders(
            "WHERE anonymise_at <= ? ORDER BY anonymise_at LIMIT ?\(connection.dialect.rowLock)",
            [.time(time), .integer(limit)])
    }

    func nextAnonymity() throws -> Date? {
        try connection.date("SELECT MIN(anonymise_at) FROM orders WHERE anonymise_at IS NOT NULL")
    }

    // MARK: Rows

    private static let columns = """
        id, number, owner_id, version, status, totals, shipping, email, from_cart, payment_id, payment_status,
        payment_amount, refunded, currency, ledger_id, created_at, lines, history, discount, hold_expires_at,
        hold_released, ride_id, delivery_failure, grams, tracking
        """

    private func orders(_ clauses: String, _ arguments: [SQLValue]) throws -> [OrderRecord] {
        try connection.rows("SELECT \(Self.columns) FROM orders \(clauses)", arguments).map(Self.record)
    }

    private static func record(_ row: SQLRow) throws -> OrderRecord {
        let currency = try row.currency(13)
        let order = Order(
            id: try row.text(0),
            number: try row.text(1),
            status: OrderStatus(rawValue: try row.text(4)) ?? .unrecognised,
            lines: try row.json(16),
            totals: try row.json(5),
            payment: Payment(
                id: try row.text(9),
                status: Payment.Status(rawValue: try row.text(10)) ?? .unrecognised,
                amount: Money(try row.integer(11), currency),
                refunded: Money(try row.integer(12), currency)
            ),
            shipping: try row.optionalJSON(6),
            rideId: try row.optional(21, SQLRow.text),
            deliveryFailure: try row.optionalJSON(22),
            tracking: try row.optionalJSON(24),
            email: try row.optional(7, SQLRow.text),
            createdAt: try row.date(15),
            history: try row.json(17)
        )
        return OrderRecord(
            order: order, ownerId: try row.text(2), version: try row.int(3), fromCart: try row.int(8) == 1,
            ledgerId: try row.text(14), discount: try row.optionalJSON(18),
            hold: .init(expiresAt: try row.date(19), isReleased: try row.int(20) == 1),
            grams: try row.int(23))
    }
}
