import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

extension ShopDatabase.Transaction {
    public var audit: any AuditRepository { SQLAudit(connection: connection) }
}

struct SQLAudit: AuditRepository {
    let connection: any SQLConnection

    func insert(_ entry: AuditEntry) throws { try insert(entry, counter: .null) }

    func insert(_ entry: AuditEntry, key: String) throws { try insert(entry, counter: .text(key)) }

    private func insert(_ entry: AuditEntry, counter: SQLValue) throws {
        try connection.run(
            """
            INSERT INTO audit (\(Self.columns), counter) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (counter) DO UPDATE SET count = audit.count + 1
            """,
            [
                .text(entry.id), .time(entry.at), .optional(entry.actor), .text(entry.action), .optional(entry.object),
                try .json(entry.before), try .json(entry.values), .optional(entry.address),
                .optional(entry.requestId), .integer(entry.count), counter,
            ])
    }

    func count(key: String, at: Date) throws -> Bool {
        try connection.run(
            "UPDATE audit SET count = count + 1, at = ? WHERE counter = ?", [.time(at), .text(key)]) > 0
    }

    func counted(since: Date) throws -> Int {
        try connection.row("SELECT COUNT(*) FROM audit WHERE counter IS NOT NULL AND at >= ?", [.time(since)])?.int(0)
            ?? 0
    }

    func entries(_ filter: AuditSelection, after id: String?, limit: Int) throws -> [AuditEntry] {
        let conditions: [(String, SQLValue?)] = [
            ("actor = ?", filter.actor.map(SQLValue.text)), ("action = ?", filter.action.map(SQLValue.text)),
            ("object = ?", filter.object.map(SQLValue.text)), ("at >= ?", filter.from.map { .time($0) }),
            ("at < ?", filter.until.map { .time($0) }), ("id < ?", id.map(SQLValue.text)),
        ]
        let wanted = conditions.filter { $0.1 != nil }
        let clause = wanted.isEmpty ? "" : "WHERE " + wanted.map(\.0).joined(separator: " AND ") + " "
        return try connection.rows(
            "SELECT \(Self.columns), \(Self.actorColumns) FROM audit \(clause)ORDER BY id DESC LIMIT ?",
            wanted.compactMap(\.1) + [.integer(limit)]
        ).map(Self.entry)
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        try connection.run(
            "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY at LIMIT ?)",
            [.time(before), .integer(limit)]) == limit
    }

    private static let columns =
        "id, at, actor, action, object, old_value, new_value, address, request_id, count"

    /// Read from the account or the key itself, so that a deleted account leaves no personal data here.
    private static let actorColumns = """
        \(name(ofActor: "audit.actor")), (SELECT a.email FROM accounts a WHERE a.id = audit.actor)
        """

    /// The name of an account or an API key, given the column with its id.
    static func name(ofActor column: String) -> String {
        """
        COALESCE(
            (SELECT a.name FROM accounts a WHERE a.id = \(column)),
            (SELECT k.name FROM api_keys k WHERE k.id = \(column)))
        """
    }

    private static func entry(_ row: SQLRow) throws -> AuditEntry {
        AuditEntry(
            id: try row.text(0), at: try row.date(1), actor: try row.optional(2, SQLRow.text),
            actorName: try row.optional(10, SQLRow.text), actorEmail: try row.optional(11, SQLRow.text),
            action: try row.text(3), object: try row.optional(4, SQLRow.text), before: try row.optionalJSON(5),
            values: try row.optionalJSON(6), address: try row.optional(7, SQLRow.text),
            requestId: try row.optional(8, SQLRow.text), count: try row.int(9))
    }
}
