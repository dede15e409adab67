import PouchDomain
import PouchStorage
import Synchronization

/// A database that passes on everything to another, with its transactions wrapped.
public protocol DatabaseWrapper: Database {
    var database: any Database { get }

    /// Called by the task that begins the transaction, unlike the result, which runs on a thread of the database without
    /// task locals.
    func wrapped<Value>(_ body: @escaping SQLTransaction<Value>) -> SQLTransaction<Value>
}

extension DatabaseWrapper {
    public func wrapped<Value>(_ body: @escaping SQLTransaction<Value>) -> SQLTransaction<Value> { body }

    public func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await database.read(wrapped(body))
    }

    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        try await database.write(isolation, wrapped(body))
    }

    public func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }
    public func close() async throws { try await database.close() }
}

/// A database that can record its statements, without BEGIN and COMMIT.
public struct RecordingDatabase: DatabaseWrapper {
    public struct Statement: Sendable {
        public let sql: String
        public let arguments: [SQLValue]
    }

    public typealias Transaction = [Statement]

    public let database: any Database

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

    public func wrapped<Value>(_ body: @escaping SQLTransaction<Value>) -> SQLTransaction<Value> {
        guard let recording = Self.current else { return body }
        return { connection in
            var statements: Transaction = []
            defer { recording.transactions.withLock { $0.append(statements) } }
            return try body(ObservedConnection(connection) { statements.append(.init(sql: $0, arguments: $1)) })
        }
    }
}

/// A connection that reports each statement before it runs, on the thread of its transaction.
public struct ObservedConnection: SQLConnection {
    private let connection: any SQLConnection
    private let observe: (String, [SQLValue]) -> Void

    public init(_ connection: any SQLConnection, _ observe: @escaping (String, [SQLValue]) -> Void) {
        self.connection = connection
        self.observe = observe
    }

    public var dialect: SQLDialect { connection.dialect }

    public func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        observe(sql, arguments)
        return try connection.run(sql, arguments)
    }

    public func send(_ sql: String, _ arguments: [SQLValue]) throws {
        observe(sql, arguments)
        try connection.send(sql, arguments)
    }

    public func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        observe(sql, arguments)
        return try connection.rows(sql, arguments)
    }

    public func script(_ sql: String) throws {
        observe(sql, [])
        try connection.script(sql)
    }

    public func notify(_ text: String, _ reach: NotificationReach) throws {
        try connection.notify(text, reach)
    }
}
