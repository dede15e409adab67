import PouchDomain
import PouchStorage

/// A database that stores no events, to compare checkouts with.
struct EventlessDatabase: Database {
    private let database: any Database

    init(_ database: any Database) {
        self.database = database
    }

    func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await database.read(body)
    }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await database.write(isolation) { try body(Connection(base: $0)) }
    }

    func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }

    func close() async throws { try await database.close() }

    private struct Connection: SQLConnection {
        let base: any SQLConnection

        var dialect: SQLDialect { base.dialect }

        func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int { try base.run(sql, arguments) }

        func send(_ sql: String, _ arguments: [SQLValue]) throws {
            if !sql.hasPrefix("INSERT INTO events ") { try base.send(sql, arguments) }
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] { try base.rows(sql, arguments) }

        func script(_ sql: String) throws { try base.script(sql) }

        func notify(_ text: String, _ reach: NotificationReach) throws { try base.notify(text, reach) }
    }
}
