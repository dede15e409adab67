import Foundation
import PouchEntities
import PouchStorage

extension SandboxLedger {
    /// Books a charge, unless something is booked under that key.
    ///
    /// - Parameter declineCode: nil authorizes the amount, and captures it if that was asked for.
    /// - Throws: `SandboxProblem` when another request was booked under the key.
    func book(
        _ key: String, _ request: ChargeRequestBody, declineCode: String?
    ) async throws -> Booked<SandboxCharge> {
        let isCaptured = declineCode == nil && request.isCaptured
        return try await insert(
            SandboxCharge(
                key: key,
                status: declineCode != nil ? .declined : isCaptured ? .captured : .authorized,
                declineCode: declineCode, amount: request.amount, currency: request.currency,
                captured: isCaptured ? request.amount : 0, refunded: 0, createdAt: Self.now),
            request: request)
    }

    /// What is booked under a key for a request.
    ///
    /// - Throws: `SandboxProblem` when another request was booked under the key.
    func booked(_ key: String, _ request: ChargeRequestBody) async throws -> SandboxCharge? {
        try await database.read { try charge(key, for: request, on: $0) }
    }

    func charge(_ key: String) async throws -> SandboxCharge? {
        try await database.read { try charge(key, for: nil, on: $0) }
    }

    /// Charges by their keys, from the one behind the key on.
    func charges(after key: String, limit: Int) async throws -> [SandboxCharge] {
        try await database.read { connection in
            try connection.rows(
                "SELECT \(ChargeRow.columns) FROM charges WHERE key > ? ORDER BY key LIMIT ?",
                [.text(key), .integer(limit)]
            ).map(ChargeRow.charge)
        }
    }

    /// Captures what was authorized.
    ///
    /// - Returns: the charge as it is now; nil when there is none.
    func capture(_ key: String) async throws -> SandboxCharge? {
        try await database.write { connection in
            try connection.run(
                "UPDATE charges SET status = 'captured', captured = amount WHERE key = ? AND status = 'authorized'",
                [.text(key)])
            return try charge(key, for: nil, on: connection)
        }
    }

    /// Makes sure that nothing is captured later under the key: nothing can be booked any more, and what was authorized
    /// is let go. What was captured or declined stays as it is.
    ///
    /// - Returns: the charge as it is now.
    func void(_ key: String) async throws -> SandboxCharge {
        let charge = try await insert(
            SandboxCharge(
                key: key, status: .voided, declineCode: nil, amount: 0, currency: nil, captured: 0, refunded: 0,
                createdAt: Self.now),
            request: nil
        ).entry
        guard charge.status == .authorized else { return charge }
        return try await database.write { connection in
            try connection.run(
                "UPDATE charges SET status = 'voided' WHERE key = ? AND status = 'authorized'", [.text(key)])
            return try self.charge(key, for: nil, on: connection) ?? charge
        }
    }

    private func insert(_ charge: SandboxCharge, request: ChargeRequestBody?) async throws -> Booked<SandboxCharge> {
        try await database.write { connection in
            let inserted = try connection.run(
                """
                INSERT INTO charges (\(ChargeRow.columns), request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (key) DO NOTHING
                """, ChargeRow.values(charge) + [.optional(request?.fingerprint)])
            if inserted == 1 { return Booked(entry: charge, isReplay: false) }
            guard let earlier = try self.charge(charge.key, for: request, on: connection) else {
                throw StorageError.corrupt("a charge is neither new nor there")
            }
            return Booked(entry: earlier, isReplay: true)
        }
    }

    /// - Parameter request: compared with the one that was booked, where both are known.
    private func charge(
        _ key: String, for request: ChargeRequestBody?, on connection: any SQLConnection
    ) throws -> SandboxCharge? {
        guard
            let row = try connection.row(
                "SELECT \(ChargeRow.columns), request FROM charges WHERE key = ?", [.text(key)])
        else { return nil }
        if let request, let booked = try row.optional(ChargeRow.count, SQLRow.text), booked != request.fingerprint {
            throw SandboxProblem(.idempotencyKeyReused)
        }
        return try ChargeRow.charge(row)
    }
}
