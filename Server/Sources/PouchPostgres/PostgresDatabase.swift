import PouchDomain
import PouchStorage

/// A database on a PostgreSQL server, with a limited number of connections, each on its own thread.
///
/// Connections are opened on demand. After a restart of the server, transactions run again on a new connection, except
/// a commit whose response was lost; while the server is down, every use throws `UnavailableError`.
public final class PostgresDatabase: Database {
    private let pool: WorkerPool
    private let listener: PostgresListener

    public init(_ address: PostgresAddress) {
        let listener = PostgresListener(address)
        pool = WorkerPool(address, onCommit: listener.send)
        self.listener = listener
    }

    /// - Throws: `OverloadError`, `UnavailableError`, the errors of the body.
    public func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await persist(nil, body)
    }

    /// - Throws: `OverloadError`, `UnavailableError`, `CommitUnknownError`, the errors of the body.
    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        try await persist(isolation, body)
    }

    /// Runs the transaction until it succeeds or the budget is used up. No connection is held during a pause.
    private func persist<Value: Sendable>(
        _ isolation: Isolation?, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        var budget = RetryBudget()
        while true {
            do {
                return try await pool.use { try await $0.transaction(isolation, body) }
            } catch {
                let pause = try budget.pause(after: error)
                if pause > .zero { try await Task.sleep(for: pause) }
            }
        }
    }

    public func notifications() -> AsyncStream<DatabaseNotification> { listener.listen() }

    public func close() async throws {
        listener.close()
        await pool.close()
    }
}
