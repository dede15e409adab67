import CLibpq
import Foundation
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

/// The address of a PostgreSQL database, such as `postgres://pouch@db.example.com:5432/shop?sslmode=verify-full`, with
/// the limits on its connections.
///
/// Parts that the address omits come from libpq's environment variables (PGHOST, PGUSER, PGSSLROOTCERT, ...).
public struct PostgresAddress: Sendable, Equatable {
    /// The text of the address. It contains no password, so it may be logged.
    public let text: String
    /// A file whose first line is the password; without one, PGPASSWORD and libpq's password file apply.
    public var passwordFile: String?
    /// The maximum number of connections of this process.
    public var connections = 10
    /// The maximum number of transactions that wait for a connection.
    public var waitingBound = 2_000
    /// The maximum time a transaction waits for a connection.
    public var waitingTime = Duration.seconds(10)
    /// The maximum time a statement waits for a lock, so that transactions on one row do not take all connections.
    public var lockTime = Duration.seconds(5)
    /// The maximum time of a statement.
    public var statementTime = Duration.seconds(30)

    /// - Throws: `StorageError.passwordInAddress`, `.unsupportedAddress`; `.libraryMissing` without libpq.
    public init(_ text: String) throws(StorageError) {
        guard libpq_load() != 0 else { throw .libraryMissing(name: "libpq") }
        guard Self.isPostgresAddress(text), let options = PQconninfoParse(text, nil) else {
            throw .unsupportedAddress
        }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            if option.pointee.val != nil, ["password", "sslpassword"].contains(String(cString: keyword)) {
                throw .passwordInAddress
            }
            option += 1
        }
        self.text = text
    }

    /// Whether the text has the form of a PostgreSQL address.
    public static func isPostgresAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    /// The connection parameters for libpq, of which later ones take precedence. Throws when the password file cannot
    /// be read.
    func parameters() throws -> [(keyword: String, value: String)] {
        var parameters = [
            // Detects a lost peer within about 30 s, even with unacknowledged data.
            ("keepalives_idle", "15"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"), ("fallback_application_name", "pouch"),
        ]
        if ProcessInfo.processInfo.environment["PGCONNECT_TIMEOUT"] == nil {
            parameters.append(("connect_timeout", "5"))
        }
        parameters.append(("dbname", text))
        if let passwordFile {
            let lines = try String(contentsOf: URL(fileURLWithPath: passwordFile), encoding: .utf8)
                .split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            parameters.append(("password", String(lines[0])))
        }
        parameters.append(("client_encoding", "UTF8"))
        return parameters
    }
}
