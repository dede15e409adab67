import Foundation
import GRDB
import GRDBSQLite
import PouchStorage

/// The database of the simulated shops: SQLite in memory, on one connection, which gets back to its first state at once.
final class MemoryConnection: SQLConnection {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    /// The number of changing statements until the disk is full; nil for a disk with space.
    var statementsUntilFull: Int?

    var dialect: SQLDialect { .sqlite }

    init() throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &handle, flags, nil) == SQLITE_OK, let handle else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        self.handle = handle
        try script("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    // MARK: Statements

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        if let left = statementsUntilFull {
            guard left > 0 else { throw Self.full }
            statementsUntilFull = left - 1
        }
        _ = try rows(sql, arguments)
        return Int(sqlite3_changes(handle))
    }

    func send(_ sql: String, _ arguments: [SQLValue]) throws { try run(sql, arguments) }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() { bind(argument, to: CInt(index + 1), of: statement) }
        let columns = 0..<sqlite3_column_count(statement)
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(SQLRow(columns.map { value($0, of: statement) }))
            case SQLITE_DONE: return rows
            default: throw failure(sql)
            }
        }
    }

    func script(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    /// The simulation starts the background work itself.
    func notify(_ text: String, _: NotificationReach) {}

    private func prepared(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure(sql)
        }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLValue, to index: CInt, of statement: OpaquePointer) {
        // SQLite copies texts and bytes.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .text(let text): sqlite3_bind_text(statement, index, text, -1, transient)
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                _ =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes.baseAddress, CInt(bytes.count), transient)
            }
        }
    }

    private func value(_ column: CInt, of statement: OpaquePointer) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .integer(Int64(sqlite3_column_double(statement, column)))
        case SQLITE_TEXT: .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        case SQLITE_BLOB:
            .blob(
                sqlite3_column_blob(statement, column).map {
                    Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, column)))
                } ?? Data())
        default: .null
        }
    }

    private func failure(_ sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(handle)),
            message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }

    static let full = DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")

    // MARK: Transactions

    /// Runs the body in a savepoint, which is rolled back if it throws.
    func transaction<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        _ = try rows("SAVEPOINT one", [])
        do {
            let value = try body(self)
            _ = try rows("RELEASE one", [])
            return value
        } catch {
            _ = try rows("ROLLBACK TO one", [])
            _ = try rows("RELEASE one", [])
            throw error
        }
    }

    /// Begins a run, whose changes `reset` takes back all at once.
    func begin() throws { _ = try rows("BEGIN", []) }

    func reset() throws { _ = try rows("ROLLBACK", []) }
}
