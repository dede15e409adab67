import Foundation
import PouchDomain
import PouchEntities

struct SQLOrders: OrderRepository {
    let connection: any SQLConnection

    func nextNumber() throws -> String {
        guard
            let row = try connection.row("UPDATE order_numbers SET last = last + 1 RETURNING last", [])
        else { throw StorageError.corrupt("the order number is missing") }
        return "P-\(try row.integer(0))"
    }

    func insert(_ record: OrderRecord) throws {
        let order = record.order
        try connection.run(
            """
            INSERT INTO orders (\(Self.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(order.id), .text(order.number), .text(record.ownerId), .integer(record.version),
                .text(order.status.rawValue), try StoredJSON.text(order.totals),
                try StoredJSON.optional(order.shipping), .optional(order.email), .integer(record.fromCart ? 1 : 0),
                .text(order.payment.id), .text(order.payment.status.rawValue), .integer(order.payment.amount.amount),
                .integer(order.payment.refunded.amount), .text(order.payment.amount.currency.code),
                .text(record.ledgerId), .time(order.createdAt),
            ])
        for (position, line) in order.lines.enumerated() { try insert(line, position, orderId: order.id) }
        for event in order.history { try add(event.status, at: event.at, to: order.id) }
    }

    private func insert(_ line: OrderLine, _ position: Int, orderId: String) throws {
        try connection.run(
            """
            INSERT INTO order_lines (
                order_id, position, sku, name, options, quantity, unit_price, line_total, discount, tax,
                refunded_quantity
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(orderId), .integer(position), .text(line.sku), .text(line.name),
                try StoredJSON.text(line.options), .integer(line.quantity), .integer(line.unitPrice.amount),
                .integer(line.lineTotal.amount), .integer(line.discount.amount), .integer(line.tax.amount),
                .integer(line.refundedQuantity),
            ])
    }

    private func add(_ status: OrderStatus, at: Date, to orderId: String) throws {
        try connection.run(
            """
            INSERT INTO order_events (order_id, position, status, at)
            VALUES (?, (SELECT COUNT(*) FROM order_events WHERE order_id = ?), ?, ?)
            """,
            [.text(orderId), .text(orderId), .text(status.rawValue), .time(at)])
    }

    func order(id: String) throws -> OrderRecord? {
        try orders(where: "id = ?", [.text(id)]).first
    }

    func orders(ownerId: String, after id: String?, limit: Int) throws -> [OrderRecord] {
        if let id {
            return try orders(
                where: "owner_id = ? AND id < ? ORDER BY id DESC LIMIT ?", [.text(ownerId), .text(id), .integer(limit)])
        }
        return try orders(where: "owner_id = ? ORDER BY id DESC LIMIT ?", [.text(ownerId), .integer(limit)])
    }

    func orders(status: OrderStatus?, after id: String?, limit: Int) throws -> [OrderRecord] {
        var conditions: [String] = []
        var arguments: [SQLValue] = []
        if let status {
            conditions.append("status = ?")
            arguments.append(.text(status.rawValue))
        }
        if let id {
            conditions.append("id < ?")
            arguments.append(.text(id))
        }
        let condition = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        return try orders(where: "\(condition) ORDER BY id DESC LIMIT ?", arguments + [.integer(limit)])
    }

    func unsettled(ledgerId: String, after id: String?, limit: Int) throws -> [OrderRecord] {
        try orders(
            where: """
                ledger_id = ? AND (status = 'pending' OR (status = 'cancelled' AND payment_status = 'captured'))
                AND id > ? ORDER BY id LIMIT ?
                """,
            [.text(ledgerId), .text(id ?? ""), .integer(limit)])
    }

    func move(
        id: String, from: OrderStatus, to: OrderStatus, payment: Payment.Status, refunded: Money, at: Date
    ) throws -> Bool {
        guard OrderMachine.allows(from, to: to) else { return false }
        let changed = try connection.run(
            """
            UPDATE orders SET status = ?, payment_status = ?, refunded = ?, version = version + 1
            WHERE id = ? AND status = ?
            """,
            [
                .text(to.rawValue), .text(payment.rawValue), .integer(refunded.amount), .text(id),
                .text(from.rawValue),
            ])
        guard changed == 1 else { return false }
        try add(to, at: at, to: id)
        return true
    }

    func setRefunded(id: String, _ amount: Money) throws {
        try connection.run(
            """
            UPDATE orders SET payment_status = 'refunded', refunded = ?, version = version + 1
            WHERE id = ? AND status = 'cancelled' AND payment_status = 'captured'
            """,
            [.integer(amount.amount), .text(id)])
    }

    func delete(id: String) throws {
        try connection.run("DELETE FROM orders WHERE id = ?", [.text(id)])
    }

    func move(from ownerId: String, to newOwnerId: String) throws {
        try connection.run(
            "UPDATE orders SET owner_id = ? WHERE owner_id = ?", [.text(newOwnerId), .text(ownerId)])
    }

    func anonymise(ownerId: String) throws {
        try connection.run(
            "UPDATE orders SET email = NULL, shipping = NULL, version = version + 1 WHERE owner_id = ?",
            [.text(ownerId)])
    }

    // MARK: Rows

    private static let columns = """
        id, number, owner_id, version, status, totals, shipping, email, from_cart, payment_id, payment_status,
        payment_amount, refunded, currency, ledger_id, created_at
        """

    /// Three statements for any number of orders.
    private func orders(where condition: String, _ arguments: [SQLValue]) throws -> [OrderRecord] {
        let heads = try connection.rows("SELECT \(Self.columns) FROM orders WHERE \(condition)", arguments)
        guard !heads.isEmpty else { return [] }
        let ids = try heads.map { SQLValue.text(try $0.text(0)) }
        let places = Array(repeating: "?", count: ids.count).joined(separator: ", ")
        let lines = try Dictionary(
            grouping: connection.rows(
                """
                SELECT order_id, sku, name, options, quantity, unit_price, line_total, discount, tax,
                    refunded_quantity
                FROM order_lines WHERE order_id IN (\(places)) ORDER BY order_id, position
                """, ids)
        ) { try $0.text(0) }
        let events = try Dictionary(
            grouping: connection.rows(
                """
                SELECT order_id, status, at FROM order_events
                WHERE order_id IN (\(places)) ORDER BY order_id, position
                """, ids)
        ) { try $0.text(0) }
        return try heads.map { head in
            let id = try head.text(0)
            return try record(head, lines: lines[id] ?? [], events: events[id] ?? [])
        }
    }

    private func record(_ row: SQLRow, lines: [SQLRow], events: [SQLRow]) throws -> OrderRecord {
        guard let currency = Currency(code: try row.text(13)) else { throw StorageError.corrupt("a currency") }
        let order = Order(
            id: try row.text(0),
            number: try row.text(1),
            status: OrderStatus(rawValue: try row.text(4)) ?? .unrecognised,
            lines: try lines.map { try line($0, currency: currency) },
            totals: try row.json(5),
            payment: Payment(
                id: try row.text(9),
                status: Payment.Status(rawValue: try row.text(10)) ?? .unrecognised,
                amount: Money(try row.integer(11), currency),
                refunded: Money(try row.integer(12), currency)
            ),
            shipping: try row.optionalJSON(6),
            email: try row.optional(7, SQLRow.text),
            createdAt: try row.date(15),
            history: try events.map {
                Order.Event(status: OrderStatus(rawValue: try $0.text(1)) ?? .unrecognised, at: try $0.date(2))
            }
        )
        return OrderRecord(
            order: order, ownerId: try row.text(2), version: try row.int(3), fromCart: try row.int(8) == 1,
            ledgerId: try row.text(14))
    }

    private func line(_ row: SQLRow, currency: Currency) throws -> OrderLine {
        OrderLine(
            sku: try row.text(1),
            name: try row.text(2),
            options: try row.json(3),
            quantity: try row.int(4),
            unitPrice: Money(try row.integer(5), currency),
            lineTotal: Money(try row.integer(6), currency),
            discount: Money(try row.integer(7), currency),
            tax: Money(try row.integer(8), currency),
            refundedQuantity: try row.int(9)
        )
    }
}
