import Foundation
import PouchDomain
import PouchEntities
import PouchJSON
import PouchStorage

/// The charges and refunds of the sandbox, in a separate file, so that they outlive the shop like a real provider's
/// records. Several processes may share the file.
public struct SandboxLedger: Sendable {
    /// The ledger's id, created with the file; never changes.
    public let id: String
    private let database: SQLiteDatabase

    /// Opens or creates the file, and migrates one from an earlier version.
    ///
    /// - Throws: `StorageError`.
    public init(path: String, random: any RandomSource = SystemRandom()) async throws {
        let database = try SQLiteDatabase(path: path)
        try await Migrator(Migration.ledger).migrate(database)
        let newId = "led_" + ByteAlphabet.base16.text(random.bytes(8))
        self.database = database
        id = try await database.write { connection in
            try connection.run(
                "INSERT INTO ledger (singleton, id) VALUES (1, ?) ON CONFLICT (singleton) DO NOTHING", [.text(newId)])
            return try connection.row("SELECT id FROM ledger", [])?.text(0) ?? newId
        }
    }

    public func close() async throws {
        try await database.close()
    }

    // MARK: Charges

    /// Books a charge, unless the key already has an entry.
    ///
    /// - Parameter declineCode: nil authorizes the amount, and captures it if the request asks for that.
    /// - Throws: `SandboxProblem` if the key belongs to another request.
    func book(_ key: String, _ request: ChargeRequestBody, declineCode: String?) async throws -> Booked<SandboxCharge> {
        let isCaptured = declineCode == nil && request.isCaptured
        return try await insert(
            SandboxCharge(
                key: key,
                status: declineCode != nil ? .declined : isCaptured ? .captured : .authorized,
                declineCode: declineCode, amount: request.amount, currency: request.currency,
                captured: isCaptured ? request.amount : 0, refunded: 0, createdAt: Self.now),
            request: request)
    }

    /// The charge under a key, if any. Read by the writer, which answers even callers that are cancelled.
    ///
    /// - Throws: `SandboxProblem` if the key belongs to another request.
    func booked(_ key: String, _ request: ChargeRequestBody) async throws -> SandboxCharge? {
        try await database.write { try charge(key, for: request, on: $0) }
    }

    func charge(_ key: String) async throws -> SandboxCharge? {
        try await database.read { try charge(key, for: nil, on: $0) }
    }

    /// The charges with greater keys, in key order.
    func charges(after key: String, limit: Int) async throws -> [SandboxCharge] {
        try await database.read { connection in
            try connection.rows(
                "SELECT \(SandboxCharge.columns) FROM charges WHERE key > ? ORDER BY key LIMIT ?",
                [.text(key), .integer(limit)]
            ).map(SandboxCharge.init)
        }
    }

    /// Captures an authorized charge.
    ///
    /// - Returns: the charge in its new or unchanged state; nil if the key is unknown.
    func capture(_ key: String) async throws -> SandboxCharge? {
        try await database.write { connection in
            try connection.run(
                "UPDATE charges SET status = 'captured', captured = amount WHERE key = ? AND status = 'authorized'",
                [.text(key)])
            return try charge(key, for: nil, on: connection)
        }
    }

    /// Ensures that nothing is captured under the key from now on: books an unknown key as voided and releases an
    /// authorized charge. A captured or declined charge does not change.
    ///
    /// - Returns: the charge in its new or unchanged state.
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
                INSERT INTO charges (\(SandboxCharge.columns), request) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (key) DO NOTHING
                """, charge.values + [.optional(request?.fingerprint)])
            if inserted == 1 { return Booked(entry: charge, isReplay: false) }
            guard let earlier = try self.charge(charge.key, for: request, on: connection) else {
                throw StorageError.corrupt("a charge was neither inserted nor found")
            }
            return Booked(entry: earlier, isReplay: true)
        }
    }

    /// - Parameter request: must equal the booked request, if both are known.
    private func charge(
        _ key: String, for request: ChargeRequestBody?, on connection: any SQLConnection
    ) throws -> SandboxCharge? {
        guard
            let row = try connection.row(
                "SELECT \(SandboxCharge.columns), request FROM charges WHERE key = ?", [.text(key)])
        else { return nil }
        if let request, let booked = try row.optional(8, SQLRow.text), booked != request.fingerprint {
            throw SandboxProblem(.idempotencyKeyReused)
        }
        return try SandboxCharge(row)
    }

    // MARK: Refunds

    /// Books a refund, unless one is already booked under that key. Refunds never exceed the captured amount of a
    /// charge.
    ///
    /// - Throws: `SandboxProblem` if the charge is unknown, has another currency or too little left, or if the key
    ///   belongs to another request.
    func refund(_ key: String, _ request: RefundRequestBody) async throws -> Booked<SandboxRefund> {
        try await database.write { connection in
            if let row = try connection.row(
                "SELECT \(SandboxRefund.columns) FROM refunds WHERE key = ?", [.text(key)])
            {
                let earlier = try SandboxRefund(row)
                guard
                    earlier.charge == request.charge, earlier.amount == request.amount,
                    request.currency == nil || request.currency == earlier.currency
                else { throw SandboxProblem(.idempotencyKeyReused) }
                return Booked(entry: earlier, isReplay: true)
            }
            guard
                let charge = try connection.row("SELECT currency FROM charges WHERE key = ?", [.text(request.charge)])
            else { throw SandboxProblem(.notFound, "There is no charge \(request.charge).") }
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
                "INSERT INTO refunds (\(SandboxRefund.columns)) VALUES (?, ?, ?, ?, ?)",
                [.text(key), .text(refund.charge), .integer(refund.amount), .text(code), .time(refund.createdAt)])
            return Booked(entry: refund, isReplay: false)
        }
    }

    /// The refunds with greater keys, in key order.
    func refunds(after key: String, limit: Int) async throws -> [SandboxRefund] {
        try await database.read { connection in
            try connection.rows(
                "SELECT \(SandboxRefund.columns) FROM refunds WHERE key > ? ORDER BY key LIMIT ?",
                [.text(key), .integer(limit)]
            ).map(SandboxRefund.init)
        }
    }

    /// The current time in whole milliseconds, as stored in the file.
    private static var now: Date {
        Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}

/// An entry of the ledger, and whether an earlier request with the same key booked it.
struct Booked<Entry: Sendable>: Sendable {
    let entry: Entry
    let isReplay: Bool
}

// MARK: - Rows

extension SandboxCharge {
    fileprivate static let columns = "key, status, decline_code, amount, currency, captured, refunded, created_at"

    fileprivate init(_ row: SQLRow) throws {
        self.init(
            key: try row.text(0),
            status: try row.value(1),
            declineCode: try row.optional(2, SQLRow.text),
            amount: try row.integer(3),
            currency: try row.optional(4, SQLRow.text).flatMap { Currency(code: $0) },
            captured: try row.integer(5),
            refunded: try row.integer(6),
            createdAt: try row.optional(7, SQLRow.date))
    }

    fileprivate var values: [SQLValue] {
        [
            .text(key), .text(status.rawValue), .optional(declineCode), .integer(amount), .optional(currency?.code),
            .integer(captured), .integer(refunded), .time(createdAt),
        ]
    }
}

extension SandboxRefund {
    fileprivate static let columns = "key, charge_key, amount, currency, created_at"

    fileprivate init(_ row: SQLRow) throws {
        self.init(
            key: try row.text(0), charge: try row.text(1), amount: try row.integer(2), currency: try row.currency(3),
            createdAt: try row.optional(4, SQLRow.date))
    }
}
