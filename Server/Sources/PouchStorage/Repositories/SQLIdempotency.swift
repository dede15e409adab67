import Foundation
import PouchDomain

extension ShopDatabase.Transaction {
    public var idempotency: any IdempotencyRepository { SQLIdempotency(connection: connection) }
}

struct SQLIdempotency: IdempotencyRepository {
    let connection: any SQLConnection

    func record(ownerId: String, key: String) throws -> IdempotencyRecord? {
        try connection.row(
            """
            SELECT fingerprint, status, media_type, body, etag, created_at
            FROM idempotency WHERE owner_id = ? AND key = ?
            """,
            [.text(ownerId), .text(key)]
        ).map { row in
            let answer = try row.optional(1, SQLRow.int).map { code in
                StoredAnswer(
                    code: code, format: try row.text(2), tag: try row.optional(4, SQLRow.text), body: try row.data(3))
            }
            return IdempotencyRecord(
                request: .init(ownerId: ownerId, key: key, fingerprint: try row.data(0)),
                answer: answer, createdAt: try row.date(5))
        }
    }

    func insert(_ request: IdempotencyRecord.Request, subjectId: String?, at: Date) throws -> Bool {
        try connection.run(
            """
            INSERT INTO idempotency (owner_id, key, fingerprint, order_id, created_at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (owner_id, key) DO NOTHING
            """,
            [
                .text(request.ownerId), .text(request.key), .blob(request.fingerprint), .optional(subjectId), .time(at),
            ]) == 1
    }

    func complete(ownerId: String, key: String, answer: StoredAnswer) throws {
        try complete(where: "owner_id = ? AND key = ?", [.text(ownerId), .text(key)], answer)
    }

    func complete(subjectId: String, answer: StoredAnswer) throws {
        try complete(where: "order_id = ?", [.text(subjectId)], answer)
    }

    private func complete(where condition: String, _ arguments: [SQLValue], _ answer: StoredAnswer) throws {
        try connection.send(
            """
            UPDATE idempotency SET status = ?, media_type = ?, body = ?, etag = ?
            WHERE \(condition) AND status IS NULL
            """,
            [.integer(answer.code), .text(answer.format), .blob(answer.body), .optional(answer.tag)] + arguments)
    }

    func deleteRunning(subjectId: String) throws {
        try connection.send("DELETE FROM idempotency WHERE order_id = ? AND status IS NULL", [.text(subjectId)])
    }

    func delete(ownerId: String, key: String) throws {
        try connection.run("DELETE FROM idempotency WHERE owner_id = ? AND key = ?", [.text(ownerId), .text(key)])
    }

    func delete(ownerId: String, key: String, createdBefore moment: Date) throws {
        try connection.run(
            "DELETE FROM idempotency WHERE owner_id = ? AND key = ? AND created_at <= ? AND status IS NOT NULL",
            [.text(ownerId), .text(key), .time(moment)])
    }

    func delete(ownerId: String) throws {
        try connection.run("DELETE FROM idempotency WHERE owner_id = ?", [.text(ownerId)])
    }

    func move(from ownerId: String, to newOwnerId: String) throws {
        try connection.run(
            """
            UPDATE idempotency SET owner_id = ?
            WHERE owner_id = ? AND key NOT IN (SELECT key FROM idempotency WHERE owner_id = ?)
            """,
            [.text(newOwnerId), .text(ownerId), .text(newOwnerId)])
    }

    func purge(before: Date, limit: Int) throws -> Bool {
        try connection.run(
            """
            DELETE FROM idempotency WHERE (owner_id, key) IN (
                SELECT owner_id, key FROM idempotency WHERE created_at < ? AND status IS NOT NULL
                ORDER BY created_at LIMIT ?
            )
            """, [.time(before), .integer(limit)]) == limit
    }
}
