import Foundation
import PouchDomain
import Synchronization

/// A SQL database. Statements use the SQL that SQLite and PostgreSQL share, with `?` for arguments.
///
/// The closures run on threads of the database, never on the cooperative pool.
public protocol Database: Sendable {
    /// Runs the body on one consistent state.
    func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value

    /// Runs the body in one transaction, which is durable when this returns, and rolled back when the body throws. The
    /// body may run more than once.
    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping SQLTransaction<Value>) async throws -> Value

    /// The notifications of transactions since the call. Ends when the database is closed.
    func notifications() -> AsyncStream<DatabaseNotification>

    /// Waits for running transactions, then closes; the database cannot be used afterwards.
    func close() async throws
}

public typealias SQLTransaction<Value> = @Sendable (any SQLConnection) throws -> Value

extension Database {
    public func write<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        try await write(.serializable, body)
    }
}

/// A connection within a transaction. Each connection caches its prepared statements.
public protocol SQLConnection {
    var dialect: SQLDialect { get }

    /// - Returns: the number of changed rows.
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int
    /// Runs a statement whose result the transaction does not need. A database in another process receives it together
    /// with the next statement or the commit, which then throws its error.
    func send(_ sql: String, _ arguments: [SQLValue]) throws
    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow]
    /// Runs several statements without arguments, for the schema. A statement of PostgreSQL with CONCURRENTLY must be
    /// the only one of its transaction, and has no time limit.
    func script(_ sql: String) throws
    /// Sends a text to listeners when the transaction commits; nothing if it is rolled back.
    func notify(_ text: String, _ reach: NotificationReach) throws
}

extension SQLConnection {
    public func row(_ sql: String, _ arguments: [SQLValue]) throws -> SQLRow? {
        try rows(sql, arguments).first
    }

    /// The time in the first row's only column; nil without a row, or if it is NULL.
    func date(_ sql: String, _ arguments: [SQLValue] = []) throws -> Date? {
        try row(sql, arguments)?.optional(0, SQLRow.date)
    }

    /// Selects the row with an ID. With a lock, it waits for other transactions that lock the row, and returns what
    /// they have committed.
    ///
    /// PostgreSQL locks by a write. `FOR UPDATE` would return the same row but leave no trace: a serializable
    /// transaction that waits for it would go on with what it read before, instead of running again.
    func row(_ id: String, of table: String, _ columns: String, locking: Bool) throws -> SQLRow? {
        try row(
            locking && dialect == .postgres
                ? "UPDATE \(table) SET id = id WHERE id = ? RETURNING \(columns)"
                : "SELECT \(columns) FROM \(table) WHERE id = ?", [.text(id)])
    }
}

/// The kind of database, for the SQL that differs.
///
/// On SQLite, writing transactions run one at a time. So numbers that rows get on insertion increase in the order of
/// the commits, and nothing has to be locked. PostgreSQL plans by statistics, which are outdated after a bulk write.
public enum SQLDialect: Sendable {
    case sqlite, postgres

    /// A suffix of SELECT that locks its rows for a change, and reads them again after a wait; empty on SQLite. For
    /// transactions that read committed rows or write the locked ones; see `SQLConnection.row(_:of:_:locking:)`.
    public var rowLock: String { self == .postgres ? " FOR NO KEY UPDATE" : "" }

    /// The same, but skips locked rows.
    public var freeRowLock: String { self == .postgres ? rowLock + " SKIP LOCKED" : "" }

    /// Statements that allow one transaction at a time to change the schema, without a time limit; empty on SQLite.
    var schemaLock: String {
        guard self == .postgres else { return "" }
        // Any number that nothing else in the database uses; this one spells "pouch". A migration may take long.
        return """
            SET LOCAL lock_timeout = 0;
            SET LOCAL statement_timeout = 0;
            SELECT pg_advisory_xact_lock(482755240808);
            """
    }
}

/// An error of the database. Its texts are for logs, never for responses.
public enum StorageError: Error, Sendable {
    /// A later version of the server has removed something from this database that this version uses.
    case schemaTooNew(found: Int, known: Int)
    /// A development version of the server made this database, and this version cannot migrate it.
    case schemaUnsupported(found: Int)
    /// The text of an applied migration has changed.
    case migrationChanged(version: Int, name: String)
    /// The schema is older than this server needs, and migrating was not allowed.
    case schemaTooOld(found: Int, known: Int)
    /// The prices in this database are in another currency.
    case currencyMismatch(stored: String, wanted: String)
    /// A row does not have the expected format.
    case corrupt(String)
    /// The address is not one of a database that this build supports.
    case unsupportedAddress
    /// The system does not have the library that connects to this kind of database.
    case libraryMissing(name: String)
    /// The address contains a password, which would be visible in process lists and logs.
    case passwordInAddress
    /// A text that the database cannot store, since it contains a NUL.
    case notStorable
    /// The file cannot be opened.
    case cannotOpen(path: String, reason: String)
    /// The file is missing, but its write-ahead log, which may contain its latest changes, exists. SQLite would delete
    /// the log for a new file.
    case logWithoutDatabase(path: String)
}

/// The listeners of a notification.
public enum NotificationReach: Sendable {
    /// The listeners of this process, at no cost.
    case process
    /// The listeners of all processes. On PostgreSQL only one such transaction commits at a time, so a checkout must
    /// send none.
    case everyone
}

/// A text that a committed transaction sent to its listeners, or a mark that some may have been lost.
public enum DatabaseNotification: Sendable, Equatable {
    case text(String)
    case gap
}

/// Passes notifications on to any number of listeners in this process.
public final class NotificationHub: Sendable {
    private let state = Mutex(State())

    private struct State {
        var listeners: [Int: AsyncStream<DatabaseNotification>.Continuation] = [:]
        var lastId = 0
        var isClosed = false
    }

    public init() {}

    /// The notifications since the call. Ends when the hub is closed.
    public func listen() -> AsyncStream<DatabaseNotification> {
        let (stream, listener) = AsyncStream.makeStream(of: DatabaseNotification.self)
        let id: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastId += 1
            state.listeners[state.lastId] = listener
            return state.lastId
        }
        guard let id else {
            listener.finish()
            return stream
        }
        listener.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) } }
        return stream
    }

    public func send(_ texts: [String]) { send(texts.map { .text($0) }) }

    public func send(_ notifications: [DatabaseNotification]) {
        guard !notifications.isEmpty else { return }
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { for notification in notifications { listener.yield(notification) } }
    }

    public func close() {
        let listeners = state.withLock { state in
            state.isClosed = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
