import PouchDomain
import PouchStorage

/// A database on a PostgreSQL server, through a bounded number of connections, each with a thread of its own.
///
/// Connections are made when they are needed. What a restart of the server breaks is run again on a new connection, but
/// for a commit whose answer is lost; while the server is away every use throws `UnavailableError`.
public final class PostgresDatabase: Database {
    private let pool: WorkerPool

    public init(_ address: PostgresAddress) {
        pool = WorkerPool(address)
    }

    /// - Throws: `OverloadError`, `UnavailableError`, what the body throws.
    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await pool.use { try await $0.transaction(.read, body) }
    }

    /// - Throws: `OverloadError`, `UnavailableError`, `CommitUnknownError`, what the body throws.
    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await pool.use { try await $0.transaction(TransactionMode(isolation), body) }
    }

    public func close() async throws {
        await pool.close()
    }
}
