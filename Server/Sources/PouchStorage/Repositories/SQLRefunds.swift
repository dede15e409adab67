import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var refunds: any RefundRepository { SQLRefunds(connection: connection) }
    public var orderNotes: any OrderNoteRepository { SQLOrderNotes(connection: connection) }
}

struct SQLRefunds: RefundRepository {
    let connection: any SQLConnection

    func insert(_ refund: RefundRecord) throws {
        try connection.run(
            """
            INSERT INTO refunds (id, order_id, amount, tax, currency, lines, reason, created_at, is_pending)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)
            """,
            [
                .text(refund.id), .text(refund.orderId), .integer(refund.amount.amount),
                .integer(refund.tax.amount), .text(refund.amount.currency.code), try .json(refund.lines),
                .optional(refund.reason),
                .time(refund.createdAt),
            ])
    }

    func refunds(orderId: String) throws -> [(refund: RefundRecord, isPending: Bool)] {
        try refunds(where: "order_id = ? ORDER BY id", [.text(orderId)])
    }

    func pending(ledgerId: String?, after id: String?, limit: Int) throws -> [RefundRecord] {
        let ofLedger = ledgerId == nil ? "" : "AND order_id IN (SELECT id FROM orders WHERE ledger_id = ?)"
        return try refunds(
            where: "is_pending = 1 AND id > ? \(ofLedger) ORDER BY id LIMIT ?",
            [.text(id ?? "")] + (ledgerId.map { [.text($0)] } ?? []) + [.integer(limit)]
        ).map(\.refund)
    }

    func hasPending() throws -> Bool {
        try connection.row("SELECT id FROM refunds WHERE is_pending = 1 LIMIT 1", []) != nil
    }

    func complete(id: String) throws -> Bool {
        try connection.run("UPDATE refunds SET is_pending = 0 WHERE id = ? AND is_pending = 1", [.text(id)]) == 1
    }

    private func refunds(
        where condition: String, _ arguments: [SQLValue]
    ) throws -> [(refund: RefundRecord, isPending: Bool)] {
        try connection.rows(
            """
            SELECT id, order_id, amount, tax, currency, lines, reason, created_at, is_pending
            FROM refunds WHERE \(condition)
            """, arguments
        ).map { row in
            let currency = try row.currency(4)
            let refund = RefundRecord(
                id: try row.text(0), orderId: try row.text(1), amount: Money(try row.integer(2), currency),
                tax: Money(try row.integer(3), currency), lines: try row.json(5),
                reason: try row.optional(6, SQLRow.text), createdAt: try row.date(7))
            return (refund, try row.int(8) == 1)
        }
    }
}

struct SQLOrderNotes: OrderNoteRepository {
    let connection: any SQLConnection

    func insert(_ note: OrderNote, orderId: String) throws {
        try connection.run(
            "INSERT INTO order_notes (id, order_id, text, author, created_at) VALUES (?, ?, ?, ?, ?)",
            [.text(note.id), .text(orderId), .text(note.text), .optional(note.author), .time(note.createdAt)])
    }

    func notes(orderId: String) throws -> [OrderNote] {
        try connection.rows(
            "SELECT id, text, author, created_at FROM order_notes WHERE order_id = ? ORDER BY id", [.text(orderId)]
        ).map { row in
            OrderNote(
                id: try row.text(0), text: try row.text(1), author: try row.optional(2, SQLRow.text),
                createdAt: try row.date(3))
        }
    }
}
