import PouchDomain

/// A SQL database. Statements are in the SQL that SQLite and PostgreSQL share, with `?` for arguments.
///
/// The closures run on threads of the database, never on the cooperative pool.
public protocol Database: Sendable {
    /// Runs the body on one consistent state.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs the body in one transaction, which is durable when this returns; nothing remains when it throws. The body
    /// may run more than once.
    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Waits for what is running, and closes. Nothing can be asked afterwards.
    func close() async throws
}

extension Database {
    public func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write(.serializable, body)
    }
}
