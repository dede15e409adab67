import PouchDomain
import PouchStorage
import Synchronization

/// A database that notes the statements that are run on it.
final class RecordingDatabase: Database {
    struct Statement: Sendable {
        let sql: String
        let arguments: [SQLValue]
    }

    private let database: any Database
    private let recorded = Mutex<[Statement]>([])

    init(_ database: any Database) {
        self.database = database
    }

    /// So far, in their order.
    var statements: [Statement] { recorded.withLock { $0 } }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.read { try body(Connection(connection: $0, database: self)) }
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.write(isolation) { try body(Connection(connection: $0, database: self)) }
    }

    func close() async throws { try await database.close() }

    private struct Connection: SQLConnection {
        let connection: any SQLConnection
        let database: RecordingDatabase

        var dialect: SQLDialect { connection.dialect }

        func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            note(sql, arguments)
            return try connection.run(sql, arguments)
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
            note(sql, arguments)
            return try connection.rows(sql, arguments)
        }

        func script(_ sql: String) throws { try connection.script(sql) }

        private func note(_ sql: String, _ arguments: [SQLValue]) {
            database.recorded.withLock { $0.append(Statement(sql: sql, arguments: arguments)) }
        }
    }
}
