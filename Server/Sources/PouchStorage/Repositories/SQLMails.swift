import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var mails: any MailRepository { SQLMails(connection: connection) }
}

struct SQLMails: MailRepository {
    let connection: any SQLConnection

    func enqueue(_ mail: QueuedMail) throws {
        let stored = try connection.run(
            """
            INSERT INTO mails (id, kind, recipient, owner_id, content, event_id, created_at, due_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id, kind, recipient) DO NOTHING
            """,
            [
                .text(mail.id), .text(mail.kind.rawValue), .text(mail.recipient), .optional(mail.ownerId),
                .json(mail.content), .optional(mail.eventId), .time(mail.createdAt), .time(mail.createdAt),
            ])
        if stored == 1 { try connection.announce(.mailQueued) }
    }

    // MARK: Sending

    /// The kinds of e-mail that this server can write. A server of a later release may queue others.
    private static let kinds = SQLList.places(MailKind.allCases.map { .text($0.rawValue) })

    func nextDue() throws -> Date? {
        try connection.date(
            "SELECT MIN(due_at) FROM mails WHERE due_at IS NOT NULL AND kind IN \(Self.kinds.sql)",
            Self.kinds.arguments)
    }

    func lease(at: Date, until: Date) throws -> LeasedMail? {
        try connection.row(
            """
            UPDATE mails SET due_at = ?, attempts = attempts + 1 WHERE id = (
                SELECT id FROM mails WHERE due_at <= ? AND kind IN \(Self.kinds.sql)
                ORDER BY due_at, id LIMIT 1\(connection.dialect.freeRowLock)
            ) RETURNING id, kind, recipient, owner_id, content, event_id, created_at, attempts
            """, [.time(until), .time(at)] + Self.kinds.arguments
        ).map { row in
            LeasedMail(
                mail: QueuedMail(
                    id: try row.text(0), kind: try row.value(1), recipient: try row.text(2),
                    ownerId: try row.optional(3, SQLRow.text), content: try row.json(4),
                    eventId: try row.optional(5, SQLRow.text), createdAt: try row.date(6)),
                attempt: try row.int(7))
        }
    }

    func markSent(_ mail: LeasedMail, at: Date) throws -> Bool {
        try end(mail, "due_at = NULL, sent_at = ?, failure = NULL", [.time(at)])
    }

    func postpone(_ mail: LeasedMail, until: Date, failure: String) throws -> Bool {
        try end(mail, "due_at = ?, failure = ?", [.time(until), .text(failure)])
    }

    func markFailed(_ mail: LeasedMail, at: Date, failure: String) throws -> Bool {
        try end(mail, "due_at = NULL, failed_at = ?, failure = ?", [.time(at), .text(failure)])
    }

    /// Ends the attempt, unless another has started.
    private func end(_ mail: LeasedMail, _ change: String, _ arguments: [SQLValue]) throws -> Bool {
        try connection.run(
            "UPDATE mails SET \(change) WHERE id = ? AND attempts = ? AND due_at IS NOT NULL",
            arguments + [.text(mail.mail.id), .integer(mail.attempt)]) == 1
    }

    func waiting() throws -> (count: Int, oldest: Date?) {
        try connection.row("SELECT COUNT(*), MIN(created_at) FROM mails WHERE due_at IS NOT NULL", [])
            .map { (try $0.int(0), try $0.optional(1, SQLRow.date)) } ?? (0, nil)
    }

    func unsent(since: Date, after id: String?, limit: Int) throws -> [UnsentMail] {
        // Each half has an index, so that sent e-mails are not read. For a single condition with OR, SQLite would read
        // all e-mails in the order of their ids.
        try connection.rows(
            """
            SELECT id, kind, recipient, created_at, attempts, due_at, failure FROM mails
            WHERE id IN (
                SELECT id FROM mails WHERE due_at IS NOT NULL
                UNION ALL SELECT id FROM mails WHERE failed_at IS NOT NULL AND created_at >= ?
            ) AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?
            """, [.time(since), .text(id ?? ""), .text(id ?? ""), .integer(limit)]
        ).map { row in
            UnsentMail(
                id: try row.text(0), kind: try row.text(1), recipient: try row.text(2), createdAt: try row.date(3),
                attempts: try row.int(4), dueAt: try row.optional(5, SQLRow.date),
                failure: try row.optional(6, SQLRow.text))
        }
    }

    func failed(since: Date, limit: Int) throws -> Int {
        try connection.row(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM mails WHERE failed_at IS NOT NULL AND created_at >= ? LIMIT ?
            ) AS failed
            """, [.time(since), .integer(limit)])?.int(0) ?? 0
    }

    // MARK: Owners

    func mails(ownerId: String, after id: String?, limit: Int) throws -> [(id: String, mail: SentMail)] {
        try connection.rows(
            """
            SELECT id, kind, recipient, created_at, sent_at FROM mails
            WHERE owner_id = ? AND (? = '' OR id < ?) ORDER BY id DESC LIMIT ?
            """, [.text(ownerId), .text(id ?? ""), .text(id ?? ""), .integer(limit)]
        ).map { row in
            (
                try row.text(0),
                SentMail(
                    kind: try row.text(1), recipient: try row.text(2), createdAt: try row.date(3),
                    sentAt: try row.optional(4, SQLRow.date))
            )
        }
    }

    func move(from ownerId: String, to newOwnerId: String) throws {
        try connection.run(
            "UPDATE mails SET owner_id = ? WHERE owner_id = ?", [.text(newOwnerId), .text(ownerId)])
    }

    func delete(ownerId: String) throws {
        try connection.run("DELETE FROM mails WHERE owner_id = ?", [.text(ownerId)])
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        try connection.run(
            """
            DELETE FROM mails WHERE id IN (
                SELECT id FROM mails WHERE due_at IS NULL AND created_at < ? ORDER BY created_at LIMIT ?
            )
            """, [.time(before), .integer(limit)]) == limit
    }
}
