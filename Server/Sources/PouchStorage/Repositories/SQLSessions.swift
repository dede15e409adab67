import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var sessions: any SessionRepository { SQLSessions(connection: connection) }
    public var keys: any SigningKeyRepository { SQLSigningKeys(connection: connection) }
}

struct SQLSessions: SessionRepository {
    let connection: any SQLConnection

    func insert(_ session: SessionRecord) throws {
        try connection.run(
            "INSERT INTO sessions (id, kind, account_id, created_at, ended_at) VALUES (?, ?, ?, ?, ?)",
            [
                .text(session.id), .text(session.kind.rawValue), .optional(session.accountId),
                .time(session.createdAt), .time(session.endedAt),
            ])
    }

    func session(id: String, locking: Bool) throws -> SessionRecord? {
        let columns =
            "kind, account_id, created_at, ended_at, (SELECT email FROM accounts WHERE accounts.id = sessions.account_id)"
        return try connection.row(id, of: "sessions", columns, locking: locking).map { row in
            SessionRecord(
                id: id,
                kind: SessionKind(rawValue: try row.text(0)) ?? .unrecognised,
                accountId: try row.optional(1, SQLRow.text),
                email: try row.optional(4, SQLRow.text),
                createdAt: try row.date(2),
                endedAt: try row.optional(3, SQLRow.date)
            )
        }
    }

    func confirm(id: String, at: Date) throws {
        try connection.run("UPDATE sessions SET confirmed_at = ? WHERE id = ?", [.time(at), .text(id)])
    }

    func end(id: String, at: Date) throws {
        try connection.run(
            "UPDATE sessions SET ended_at = ? WHERE id = ? AND ended_at IS NULL", [.time(at), .text(id)])
    }

    func endAll(accountId: String, except sessionId: String?, at: Date) throws {
        try connection.run(
            "UPDATE sessions SET ended_at = ? WHERE account_id = ? AND id <> ? AND ended_at IS NULL",
            [.time(at), .text(accountId), .text(sessionId ?? "")])
    }

    func active(accountId: String, at: Date, after id: String?, limit: Int) throws -> [AccountSession] {
        // The unused token is the last one.
        try connection.rows(
            """
            SELECT s.id, s.created_at, t.user_agent, t.network,
                (SELECT MAX(u.used_at) FROM refresh_tokens u WHERE u.session_id = s.id)
            FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id AND t.used_at IS NULL
            WHERE s.account_id = ? AND s.ended_at IS NULL AND t.expires_at > ? AND (? = '' OR s.id < ?)
            ORDER BY s.id DESC LIMIT ?
            """, [.text(accountId), .time(at), .text(id ?? ""), .text(id ?? ""), .integer(limit)]
        ).map { row in
            let createdAt = try row.date(1)
            return AccountSession(
                id: try row.text(0), createdAt: createdAt,
                lastUsedAt: try row.optional(4, SQLRow.date) ?? createdAt,
                userAgent: try row.optional(2, SQLRow.text), network: try row.optional(3, SQLRow.text))
        }
    }

    func insert(_ token: RefreshTokenRecord) throws {
        try connection.run(
            "INSERT INTO refresh_tokens (hash, session_id, expires_at, network, user_agent) VALUES (?, ?, ?, ?, ?)",
            [
                .blob(token.hash), .text(token.sessionId), .time(token.expiresAt), .optional(token.origin?.network),
                .optional(token.origin?.userAgent),
            ])
    }

    func refreshToken(hash: Data) throws -> RefreshTokenRecord? {
        try connection.row(
            """
            SELECT session_id, expires_at, used_at, successor_hash, successor_key_id
            FROM refresh_tokens WHERE hash = ?
            """,
            [.blob(hash)]
        ).map { row in
            RefreshTokenRecord(
                hash: hash,
                sessionId: try row.text(0),
                expiresAt: try row.date(1),
                usedAt: try row.optional(2, SQLRow.date),
                successorHash: try row.optional(3, SQLRow.data),
                successorKeyId: try row.optional(4, SQLRow.text)
            )
        }
    }

    func markUsed(hash: Data, at: Date, successorHash: Data, successorKeyId: String) throws {
        try connection.run(
            "UPDATE refresh_tokens SET used_at = ?, successor_hash = ?, successor_key_id = ? WHERE hash = ?",
            [.time(at), .blob(successorHash), .text(successorKeyId), .blob(hash)])
    }

    func failures(keys: [Data], since: Date) throws -> [Data: (count: Int, oldest: Date)] {
        let places = SQLList.places(keys.map(SQLValue.blob))
        let rows = try connection.rows(
            "SELECT key, COUNT(*), MIN(at) FROM sign_in_failures WHERE key IN \(places.sql) AND at >= ? GROUP BY key",
            places.arguments + [.time(since)])
        return Dictionary(uniqueKeysWithValues: try rows.map { (try $0.data(0), (try $0.int(1), try $0.date(2))) })
    }

    func addFailure(key: Data, attempt: String, at: Date) throws {
        try connection.run(
            "INSERT INTO sign_in_failures (key, attempt, at) VALUES (?, ?, ?)",
            [.blob(key), .text(attempt), .time(at)])
    }

    func clearFailures(key: Data) throws {
        try connection.run("DELETE FROM sign_in_failures WHERE key = ?", [.blob(key)])
    }

    func removeFailure(key: Data, attempt: String) throws {
        try connection.run(
            "DELETE FROM sign_in_failures WHERE key = ? AND attempt = ?", [.blob(key), .text(attempt)])
    }

    func removeAttempts(key: Data) throws {
        try connection.run(
            """
            DELETE FROM sign_in_failures WHERE attempt IN (SELECT attempt FROM sign_in_failures WHERE key = ?)
            """, [.blob(key)])
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        let failures = try connection.run(
            """
            DELETE FROM sign_in_failures WHERE (key, at) IN (
                SELECT key, at FROM sign_in_failures WHERE at < ? ORDER BY at LIMIT ?
            )
            """, [.time(before), .integer(limit)])
        let tokens = try connection.rows(
            """
            DELETE FROM refresh_tokens WHERE hash IN (
                SELECT hash FROM refresh_tokens WHERE expires_at < ? ORDER BY expires_at LIMIT ?
            ) RETURNING session_id
            """, [.time(before), .integer(limit)])
        try removeSessions(among: Set(tokens.map { try $0.text(0) }))
        return max(failures, tokens.count) >= limit
    }

    /// Deletes sessions without refresh tokens: every session starts with one, and has expired with its last. Only
    /// guests own data under a session id.
    private func removeSessions(among ids: Set<String>) throws {
        guard !ids.isEmpty else { return }
        let candidates = SQLList.places(ids.map(SQLValue.text))
        let gone = try connection.rows(
            """
            DELETE FROM sessions WHERE id IN \(candidates.sql)
                AND NOT EXISTS (SELECT 1 FROM refresh_tokens t WHERE t.session_id = sessions.id)
            RETURNING id
            """, candidates.arguments)
        guard !gone.isEmpty else { return }
        let owners = SQLList.places(try gone.map { .text(try $0.text(0)) })
        for table in ["cart_lines", "carts", "discount_uses"] {
            try connection.run("DELETE FROM \(table) WHERE owner_id IN \(owners.sql)", owners.arguments)
        }
    }
}

struct SQLSigningKeys: SigningKeyRepository {
    let connection: any SQLConnection

    func keys() throws -> [SigningKey] {
        try connection.rows("SELECT id, secret, created_at FROM signing_keys ORDER BY created_at DESC, id", [])
            .map { SigningKey(id: try $0.text(0), secret: try $0.data(1), createdAt: try $0.date(2)) }
    }

    func insert(_ key: SigningKey) throws {
        try connection.run(
            "INSERT INTO signing_keys (id, secret, created_at) VALUES (?, ?, ?)",
            [.text(key.id), .blob(key.secret), .time(key.createdAt)])
    }

    func remove(id: String) throws -> Bool {
        try connection.run("DELETE FROM signing_keys WHERE id = ?", [.text(id)]) == 1
    }
}
