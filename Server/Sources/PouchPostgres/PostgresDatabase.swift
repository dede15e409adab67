import PouchDomain
import PouchStorage

/// A database on a PostgreSQL server, with a bounded number of connections, each on a thread of its own.
///
/// Connections are opened on demand. After a restart of the server, transactions run again on a new connection, except
/// a commit whose response was lost; while the server is away, every use throws `UnavailableError`.
public final class PostgresDatabase: Database {
    private let pool: WorkerPool

    public init(_ address: PostgresAddress) {
        pool = WorkerPool(address)
    }

    /// - Throws: `OverloadError`, `UnavailableError`, the errors of the body.
    public func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await pool.use { try await $0.transaction(nil, body) }
    }

    /// - Throws: `OverloadError`, `UnavailableError`, `CommitUnknownError`, the errors of the body.
    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        try await pool.use { try await $0.transaction(isolation, body) }
    }

    public func close() async throws {
        await pool.close()
    }
}

extension SQLDialect {
    static let postgres = SQLDialect(
        rowLock: " FOR UPDATE",
        freeRowLock: " FOR UPDATE SKIP LOCKED",
        // Any number that nothing else in the database uses; this one spells "pouch".
        schemaLock: "SELECT pg_advisory_xact_lock(482755240808);",
        plansByStatistics: true)
}
