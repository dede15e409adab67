import CLibpq
import Foundation
import PouchDomain
import PouchStorage

/// One connection to the database server. It blocks, and is used by one thread at a time.
///
/// It stays in libpq's pipeline mode, so that everything that needs no response is sent with the next statement: BEGIN,
/// statements whose results the transaction does not need, and the end of a read transaction.
final class PostgresSession: SQLConnection {
    private static let statementBound = 256
    /// The maximum number of statements sent without reading a response: neither side may fill the buffers of the
    /// connection while the other does not read.
    private static let sentBound = 32

    private let handle: OpaquePointer
    private var cache = StatementCache(bound: statementBound)
    /// The number of synchronization points that were sent but not read.
    private var unread = 0
    /// The number of statements since the last synchronization point.
    private var unsynchronized = 0
    private var transaction = Transaction.none
    /// The notifications that are sent with the commit.
    private var notifications: [String] = []
    /// The notifications of the transaction for listeners in this process, which receive them after the commit.
    private(set) var ownNotifications: [String] = []
    /// The error after which the transaction can only be rolled back.
    private(set) var failure: PostgresError?

    private enum Transaction {
        case none
        /// Sent with the first statement.
        case announced(String)
        case open
    }

    /// The statements that limit the time of others.
    private let limits: String

    let dialect = SQLDialect.postgres

    /// - Throws: `UnavailableError`.
    init(_ address: PostgresAddress) throws {
        let parameters: [(keyword: String, value: String)]
        do {
            parameters = try address.parameters()
        } catch {
            throw UnavailableError(reason: "the password file \(address.passwordFile ?? "") cannot be read")
        }
        guard let handle = Self.connected(parameters) else { throw UnavailableError(reason: "out of memory") }
        self.handle = handle
        limits = """
            SET lock_timeout = \(Int(address.lockTime / .milliseconds(1)));
            SET statement_timeout = \(Int(address.statementTime / .milliseconds(1)))
            """
        guard PQstatus(handle) == CONNECTION_OK else {
            throw UnavailableError(reason: String(cString: PQerrorMessage(handle)).trimmingCharacters(in: .newlines))
        }
        guard PQparameterStatus(handle, "server_encoding").map({ String(cString: $0) }) == "UTF8" else {
            throw UnavailableError(reason: "the database must have the encoding UTF8")
        }
        PQclear(
            PQexec(
                handle,
                """
                -- A process that hangs within a transaction must not lock its rows for long.
                SET idle_in_transaction_session_timeout = '60s';
                -- Compiling a plan takes 60 ms and more, a statement of the shop 1 ms. The estimates pass the bound for
                -- compilation because the planner takes unanalyzed tables of one row for 1,450 rows.
                SET jit = off;
                \(limits)
                """))
        guard PQenterPipelineMode(handle) == 1 else { throw UnavailableError(reason: "the connection was lost") }
    }

    deinit {
        PQfinish(handle)
    }

    /// - Returns: a handle, whose status shows whether it is connected; nil without memory.
    static func connected(_ parameters: [(keyword: String, value: String)]) -> OpaquePointer? {
        let texts = parameters.flatMap { [strdup($0.keyword), strdup($0.value)] }
        defer { for text in texts { free(text) } }
        let keywords = stride(from: 0, to: texts.count, by: 2).map { texts[$0].map { UnsafePointer($0) } } + [nil]
        let values = stride(from: 1, to: texts.count, by: 2).map { texts[$0].map { UnsafePointer($0) } } + [nil]
        let handle = PQconnectdbParams(keywords, values, 1)
        // Otherwise libpq writes notices to standard error.
        if let handle { PQsetNoticeProcessor(handle, { _, _ in }, nil) }
        return handle
    }

    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

    // MARK: Transactions

    /// Begins a transaction; without an isolation, one that reads one consistent state.
    func begin(_ isolation: Isolation?) {
        failure = nil
        (notifications, ownNotifications) = ([], [])
        // All settings are set, so that no default of the server or user applies.
        let mode =
            switch isolation {
            case nil: "REPEATABLE READ READ ONLY"
            case .serializable: "SERIALIZABLE READ WRITE"
            case .readCommitted: "READ COMMITTED READ WRITE"
            }
        transaction = .announced("BEGIN ISOLATION LEVEL \(mode)")
    }

    /// Ends a read transaction without waiting for the response.
    func endReading() {
        guard case .open = transaction, failure == nil, unsynchronized == 0 else { return rollback() }
        transaction = .none
        try? end("COMMIT")
    }

    /// - Throws: `PostgresError` when the server refuses; `CommitUnknownError` when its response is lost.
    func commit() throws {
        for text in notifications {
            try open()
            try sendNotification(text)
        }
        guard case .open = transaction else { return transaction = .none }
        do {
            try end("COMMIT")
            _ = try answer()
            transaction = .none
        } catch let error as PostgresError {
            // An error before the COMMIT skipped it.
            if PQtransactionStatus(handle) == PQTRANS_IDLE { transaction = .none }
            if case .reconnect = error.remedy, PQtransactionStatus(handle) != PQTRANS_INERROR {
                throw CommitUnknownError()
            }
            throw error
        }
    }

    /// Leaves the session either usable or lost.
    func rollback() {
        if case .open = transaction, !isLost {
            // After an error the server skips everything until the next synchronization point.
            if unsynchronized > 0 { try? synchronize() }
            try? end("ROLLBACK")
            _ = try? answer()
        }
        transaction = .none
        failure = nil
    }

    private func sendNotification(_ text: String) throws {
        try sent(
            StatementArguments([.text(text)], areCompared: false).withPointers { pointers, lengths, formats in
                PQsendQueryParams(
                    handle, "SELECT pg_notify('\(PostgresListener.channel)', $1)", 1, nil, pointers, lengths, formats, 1
                )
            })
    }

    private func end(_ sql: String) throws {
        try sent(PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1))
        try synchronize()
    }

    private func open() throws {
        guard case .announced(let begin) = transaction else { return }
        transaction = .open
        try sent(PQsendQueryParams(handle, begin, 0, nil, nil, nil, nil, 1))
    }

    // MARK: Statements

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try execute(sql, arguments).affected
    }

    func send(_ sql: String, _ arguments: [SQLValue]) throws {
        try attempt {
            try enqueue(sql, arguments)
            guard unsynchronized >= Self.sentBound else { return }
            try synchronize()
            _ = try answer()
        }
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        try execute(sql, arguments).rows()
    }

    func script(_ sql: String) throws {
        try attempt {
            let isAlone = sql.contains(" CONCURRENTLY ")
            // Such a statement is not allowed in a transaction.
            if !isAlone { try open() }
            try synchronize()
            _ = try answer()
            // A pipeline does not accept several statements in one string.
            guard PQexitPipelineMode(handle) == 1 else { throw PostgresError.lost }
            defer { PQenterPipelineMode(handle) }
            if isAlone { PQclear(PQexec(handle, "SET lock_timeout = 0; SET statement_timeout = 0")) }
            defer { if isAlone { PQclear(PQexec(handle, limits)) } }
            guard let result = PQexec(handle, sql) else { throw PostgresError.lost }
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_FATAL_ERROR { throw PostgresError(result) }
        }
    }

    func notify(_ text: String, _ reach: NotificationReach) {
        switch reach {
        case .process: ownNotifications.append(text)
        case .everyone: notifications.append(text)
        }
    }

    private func execute(_ sql: String, _ arguments: [SQLValue]) throws -> PostgresResult {
        try attempt {
            try enqueue(sql, arguments)
            try synchronize()
            guard let result = try answer() else { throw PostgresError.lost }
            return result
        }
    }

    private func enqueue(_ sql: String, _ arguments: [SQLValue]) throws {
        let statement = try cache.statement(sql) ?? prepare(sql)
        let values = try StatementArguments(arguments, areCompared: statement.isQuery)
        try open()
        try sent(
            values.withPointers { pointers, lengths, formats in
                PQsendQueryPrepared(handle, statement.name, Int32(arguments.count), pointers, lengths, formats, 1)
            })
    }

    private func prepare(_ sql: String) throws -> StatementCache.Statement {
        try open()
        if let name = cache.makeRoom() {
            try sent(PQsendQueryParams(handle, "DEALLOCATE \(name)", 0, nil, nil, nil, nil, 1))
        }
        let name = cache.newName()
        try sent(PQsendPrepare(handle, name, Placeholders.numbered(sql), 0, nil))
        try synchronize()
        _ = try answer()
        return cache.insert(sql, name: name)
    }

    /// After an error the server accepts no further statement in this transaction, even if the body continues.
    private func attempt<Value>(_ work: () throws -> Value) throws -> Value {
        if let failure { throw failure }
        do {
            return try work()
        } catch let error as PostgresError {
            failure = error
            throw error
        }
    }

    // MARK: The pipeline

    private func sent(_ result: Int32) throws {
        guard result == 1 else { throw PostgresError.lost }
        unsynchronized += 1
    }

    private func synchronize() throws {
        guard PQpipelineSync(handle) == 1 else { throw PostgresError.lost }
        unsynchronized = 0
        unread += 1
    }

    /// Reads all outstanding results. Returns that of the last statement, or throws the first `PostgresError`.
    private func answer() throws -> PostgresResult? {
        var last: PostgresResult?
        var error: PostgresError?
        while unread > 0 {
            guard let handle = PQgetResult(handle) else {
                if isLost { throw error ?? .lost }
                continue
            }
            let result = PostgresResult(handle)
            switch PQresultStatus(handle) {
            case PGRES_PIPELINE_SYNC: unread -= 1
            case PGRES_PIPELINE_ABORTED: break
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: last = result
            default: error = error ?? PostgresError(handle)
            }
        }
        if let error { throw error }
        return last
    }
}
