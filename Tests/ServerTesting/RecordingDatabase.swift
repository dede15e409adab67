import PouchDomain
import PouchStorage
import Synchronization

/// A database that can record its statements, without BEGIN and COMMIT.
public struct RecordingDatabase: Database {
    public struct Statement: Sendable {
        public let sql: String
        public let arguments: [SQLValue]
    }

    public typealias Transaction = [Statement]

    private let database: any Database

    public init(_ database: any Database) {
        self.database = database
    }

    /// Returns the transactions of the closure, in the order in which they ended, without those of concurrent work.
    ///
    /// A transaction that runs again is recorded again.
    public static func transactions(_ work: () async throws -> Void) async throws -> [Transaction] {
        let recording = Recording()
        try await $current.withValue(recording, operation: work)
        return recording.transactions.withLock { $0 }
    }

    @TaskLocal private static var current: Recording?

    private final class Recording: Sendable {
        let transactions = Mutex<[Transaction]>([])
    }

    public func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.read(recorded(body))
    }

    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.write(isolation, recorded(body))
    }

    public func close() async throws {
        try await database.close()
    }

    /// Captures the recording now, since the body runs on a thread of the database, without task locals.
    private func recorded<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) -> @Sendable (any SQLConnection) throws -> Value {
        guard let recording = Self.current else { return body }
        return { connection in
            let recorded = RecordingConnection(connection)
            defer { recording.transactions.withLock { $0.append(recorded.statements) } }
            return try body(recorded)
        }
    }
}

/// Records one transaction, on the thread that runs it.
private final class RecordingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var statements: RecordingDatabase.Transaction = []

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    var dialect: SQLDialect { connection.dialect }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        statements.append(.init(sql: sql, arguments: arguments))
        return try connection.run(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        statements.append(.init(sql: sql, arguments: arguments))
        return try connection.rows(sql, arguments)
    }

    func script(_ sql: String) throws {
        statements.append(.init(sql: sql, arguments: []))
        try connection.script(sql)
    }
}
