import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var apiKeys: any APIKeyRepository { SQLAPIKeys(connection: connection) }
}

struct SQLAPIKeys: APIKeyRepository {
    let connection: any SQLConnection

    private static let columns = """
        id, name, scopes, created_at, created_by, expires_at, last_used_at, hash, revoked_at
        """

    func insert(_ record: APIKeyRecord) throws {
        let key = record.key
        try connection.run(
            """
            INSERT INTO api_keys (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(key.id), .text(key.name), try .json(key.scopes), .time(key.createdAt), .text(key.createdBy),
                .time(key.expiresAt), .time(key.lastUsedAt), .blob(record.hash), .time(record.revokedAt),
            ])
    }

    func key(id: String) throws -> APIKeyRecord? {
        try connection.row("SELECT \(Self.columns) FROM api_keys WHERE id = ?", [.text(id)]).map(Self.record)
    }

    func keys(after id: String?, limit: Int) throws -> [ListedAPIKey] {
        let after = id.map { ("id < ? AND ", [SQLValue.text($0)]) } ?? ("", [])
        return try connection.rows(
            """
            SELECT \(Self.columns), \(SQLAudit.name(ofActor: "api_keys.created_by")) FROM api_keys
            WHERE \(after.0)revoked_at IS NULL ORDER BY id DESC LIMIT ?
            """, after.1 + [.integer(limit)]
        ).map { ListedAPIKey(key: try Self.record($0).key, creatorName: try $0.optional(9, SQLRow.text)) }
    }

    func keys(madeBy accountId: String) throws -> [APIKey] {
        try connection.rows(
            "SELECT \(Self.columns) FROM api_keys WHERE created_by = ? AND revoked_at IS NULL", [.text(accountId)]
        ).map { try Self.record($0).key }
    }

    func count(at: Date) throws -> Int {
        try connection.row(
            "SELECT COUNT(*) FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)",
            [.time(at)])?.int(0) ?? 0
    }

    func revoke(id: String, at: Date) throws {
        try connection.run(
            "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", [.time(at), .text(id)])
    }

    func markUsed(id: String, at: Date, unlessAfter: Date) throws {
        try connection.run(
            "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)",
            [.time(at), .text(id), .time(unlessAfter)])
    }

    private static func record(_ row: SQLRow) throws -> APIKeyRecord {
        APIKeyRecord(
            key: APIKey(
                id: try row.text(0), name: try row.text(1), scopes: try row.json(2), createdAt: try row.date(3),
                createdBy: try row.text(4), expiresAt: try row.optional(5, SQLRow.date),
                lastUsedAt: try row.optional(6, SQLRow.date)),
            hash: try row.data(7), revokedAt: try row.optional(8, SQLRow.date))
    }
}
