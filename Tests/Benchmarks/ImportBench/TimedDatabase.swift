import PouchDomain
import PouchStorage
import Synchronization

/// Takes the time of transactions that write, from their first statement until they are durable.
struct TimedDatabase: Database {
    /// Milliseconds.
    struct Times: Sendable {
        var publishing = 0.0
        var longest = 0.0
    }

    let database: any Database
    let times: TimesTaken

    final class TimesTaken: Sendable {
        private let times = Mutex(Times())

        var value: Times { times.withLock { $0 } }

        func reset() { times.withLock { $0 = Times() } }

        fileprivate func add(_ duration: Duration, isPublishing: Bool) {
            let milliseconds = duration / .milliseconds(1)
            times.withLock {
                $0.longest = max($0.longest, milliseconds)
                if isPublishing { $0.publishing = max($0.publishing, milliseconds) }
            }
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await database.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let (value, start, isPublishing) = try await database.write(isolation) { connection in
            // The writer is held from here on; where the body runs again, the last time counts.
            let start = ContinuousClock.now
            let watched = WatchedConnection(connection)
            return (try body(watched), start, watched.isPublishing)
        }
        times.add(.now - start, isPublishing: isPublishing)
        return value
    }

    func close() async throws {
        try await database.close()
    }
}

/// Lives for one transaction, on the thread that runs it.
private final class WatchedConnection: SQLConnection {
    private let connection: any SQLConnection
    /// Whether an import became visible with this transaction.
    private(set) var isPublishing = false

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    var dialect: SQLDialect { connection.dialect }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        if sql.hasPrefix("UPDATE catalog_version SET published") { isPublishing = true }
        return try connection.run(sql, arguments)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] { try connection.rows(sql, arguments) }

    func script(_ sql: String) throws { try connection.script(sql) }
}
