import Foundation
import PouchEntities
import PouchStorage

extension SandboxLedger {
    private static let columns = "key, charge_key, amount, currency, created_at"

    /// Gives back a part of a charge, unless a refund is booked under that key. A charge's refunds together never exceed
    /// what was captured of it.
    ///
    /// - Throws: `SandboxProblem` when there is no such charge, too little is left of it, it is in another currency, or
    ///   another request was booked under the key.
    func refund(_ key: String, _ request: RefundRequestBody) async throws -> Booked<SandboxRefund> {
        try await database.write { connection in
            if let earlier = try refund(key, on: connection) {
                guard
                    earlier.charge == request.charge, earlier.amount == request.amount,
                    request.currency == nil || request.currency == earlier.currency
                else { throw SandboxProblem(.idempotencyKeyReused) }
                return Booked(entry: earlier, isReplay: true)
            }
            guard
                let charge = try connection.row("SELECT currency FROM charges WHERE key = ?", [.text(request.charge)])
            else { throw SandboxProblem(.notFound, "There is no such charge.") }
            let code = try charge.optional(0, SQLRow.text)
            if let wanted = request.currency, let code, wanted.code != code {
                throw SandboxProblem(.currencyMismatch, "The charge is in \(code).")
            }
            let changed = try connection.run(
                "UPDATE charges SET refunded = refunded + ? WHERE key = ? AND captured - refunded >= ?",
                [.integer(request.amount), .text(request.charge), .integer(request.amount)])
            guard changed == 1, let code, let currency = Currency(code: code) else {
                throw SandboxProblem(.refundExceedsCapture)
            }
            let refund = SandboxRefund(
                key: key, charge: request.charge, amount: request.amount, currency: currency, createdAt: Self.now)
            try connection.run(
                "INSERT INTO refunds (\(Self.columns)) VALUES (?, ?, ?, ?, ?)",
                [
                    .text(key), .text(refund.charge), .integer(refund.amount), .text(code), .time(refund.createdAt),
                ])
            return Booked(entry: refund, isReplay: false)
        }
    }

    /// Refunds by their keys, from the one behind the key on.
    func refunds(after key: String, limit: Int) async throws -> [SandboxRefund] {
        try await database.read { connection in
            try connection.rows(
                "SELECT \(Self.columns) FROM refunds WHERE key > ? ORDER BY key LIMIT ?",
                [.text(key), .integer(limit)]
            ).map(Self.refund)
        }
    }

    private func refund(_ key: String, on connection: any SQLConnection) throws -> SandboxRefund? {
        try connection.row("SELECT \(Self.columns) FROM refunds WHERE key = ?", [.text(key)]).map(Self.refund)
    }

    private static func refund(_ row: SQLRow) throws -> SandboxRefund {
        guard let currency = Currency(code: try row.text(3)) else {
            throw StorageError.corrupt("a refund has an unknown currency")
        }
        return SandboxRefund(
            key: try row.text(0), charge: try row.text(1), amount: try row.integer(2), currency: currency,
            createdAt: try row.optional(4, SQLRow.date))
    }
}
