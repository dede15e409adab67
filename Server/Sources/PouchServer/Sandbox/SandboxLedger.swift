import Foundation
import PouchDomain
import PouchEntities
import PouchStorage

/// What the sandbox charged, in a file of its own, so that it outlives the shop as a real provider's books do.
struct SandboxLedger: Sendable {
    private let database: any Database
    let id: String

    init(path: String, random: any RandomSource) async throws {
        let database = try SQLiteDatabase(path: path)
        let newId = "led_" + random.bytes(8).map { String(format: "%02x", $0) }.joined()
        self.database = database
        id = try await database.write { connection in
            try connection.script(
                """
                CREATE TABLE IF NOT EXISTS ledger (singleton INTEGER PRIMARY KEY, id TEXT NOT NULL);
                CREATE TABLE IF NOT EXISTS charges (
                    key TEXT PRIMARY KEY,
                    status TEXT NOT NULL CHECK (status IN ('captured', 'declined', 'voided', 'refunded')),
                    decline_code TEXT,
                    amount BIGINT NOT NULL,
                    currency TEXT NOT NULL
                );
                """)
            try connection.run(
                "INSERT INTO ledger (singleton, id) VALUES (1, ?) ON CONFLICT (singleton) DO NOTHING", [.text(newId)])
            return try connection.row("SELECT id FROM ledger", [])?.text(0) ?? newId
        }
    }

    /// Books a charge, unless there is one with that key.
    ///
    /// - Parameter declineCode: nil captures the amount.
    /// - Returns: what is booked under the key.
    func book(_ key: String, amount: Money, declineCode: String?) async throws -> ChargeOutcome {
        try await insert(
            key, status: declineCode == nil ? "captured" : "declined", declineCode: declineCode, amount: amount.amount,
            currency: amount.currency.code)
    }

    /// Makes sure that nothing can be booked under a key that has nothing yet.
    ///
    /// - Returns: what is booked under the key.
    func void(_ key: String) async throws -> ChargeOutcome {
        try await insert(key, status: "voided", declineCode: nil, amount: 0, currency: "")
    }

    /// - Returns: whether there is such a charge, which is refunded now.
    func refund(_ key: String) async throws -> Bool {
        try await database.write { connection in
            try connection.run(
                "UPDATE charges SET status = 'refunded' WHERE key = ? AND status IN ('captured', 'refunded')",
                [.text(key)]) == 1
        }
    }

    func close() async throws {
        try await database.close()
    }

    private func insert(
        _ key: String, status: String, declineCode: String?, amount: Int64, currency: String
    ) async throws -> ChargeOutcome {
        try await database.write { connection in
            try connection.run(
                """
                INSERT INTO charges (key, status, decline_code, amount, currency) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (key) DO NOTHING
                """,
                [.text(key), .text(status), .optional(declineCode), .integer(amount), .text(currency)])
            guard let row = try connection.row("SELECT status, decline_code FROM charges WHERE key = ?", [.text(key)])
            else { return .voided }
            switch try row.text(0) {
            case "declined": return .declined(code: try row.text(1))
            case "voided": return .voided
            default: return .captured
            }
        }
    }
}
