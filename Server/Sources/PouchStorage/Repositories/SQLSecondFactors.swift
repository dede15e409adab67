import Foundation
import PouchDomain

extension ShopDatabase.Transaction {
    public var secondFactors: any SecondFactorRepository { SQLSecondFactors(connection: connection) }
}

struct SQLSecondFactors: SecondFactorRepository {
    let connection: any SQLConnection

    func factor(accountId: String) throws -> SecondFactorRecord? {
        try connection.row(
            "SELECT secret, enabled_at, last_step FROM second_factors WHERE account_id = ?", [.text(accountId)]
        ).map { row in
            SecondFactorRecord(
                secret: try row.data(0), isEnabled: try row.optional(1, SQLRow.integer) != nil,
                lastStep: try row.integer(2))
        }
    }

    func begin(secret: Data, accountId: String, at: Date) throws {
        try connection.run(
            """
            INSERT INTO second_factors (account_id, secret, created_at) VALUES (?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
            WHERE second_factors.enabled_at IS NULL
            """, [.text(accountId), .blob(secret), .time(at)])
    }

    func enable(accountId: String, step: Int64, recoveryHashes: [Data], at: Date) throws {
        try connection.run(
            "UPDATE second_factors SET enabled_at = ?, last_step = ? WHERE account_id = ?",
            [.time(at), .integer(step), .text(accountId)])
        try connection.insert(
            into: "recovery_codes (account_id, hash)", recoveryHashes.map { [.text(accountId), .blob($0)] })
    }

    func use(step: Int64, accountId: String) throws -> Bool {
        try connection.run(
            "UPDATE second_factors SET last_step = ? WHERE account_id = ? AND last_step < ?",
            [.integer(step), .text(accountId), .integer(step)]) == 1
    }

    func use(recoveryHash: Data, accountId: String) throws -> Bool {
        try connection.run(
            "DELETE FROM recovery_codes WHERE account_id = ? AND hash = ?", [.text(accountId), .blob(recoveryHash)])
            == 1
    }

    func recoveryCodesLeft(accountId: String) throws -> Int {
        try connection.row("SELECT COUNT(*) FROM recovery_codes WHERE account_id = ?", [.text(accountId)])?.int(0) ?? 0
    }

    func delete(accountId: String) throws -> Bool {
        try connection.run("DELETE FROM second_factors WHERE account_id = ?", [.text(accountId)]) == 1
    }
}
