import Foundation
import GRDB
import GRDBSQLite

/// An SQLite connection, valid within one closure of `SQLiteDatabase`.
///
/// GRDB opens the database, and prepares and caches the statements. Arguments are bound and rows are read through
/// SQLite's C API, since a short statement would otherwise spend most of its time in GRDB's values.
struct SQLiteConnection: SQLConnection {
    let database: GRDB.Database
    let notifications: Notifications

    /// The notifications that a transaction will send.
    final class Notifications {
        var texts: [String] = []
    }

    var dialect: SQLDialect { .sqlite }

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try execute(sql, arguments) { _ in }
        return database.changesCount
    }

    func send(_ sql: String, _ arguments: [SQLValue]) throws {
        try execute(sql, arguments) { _ in }
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        try execute(sql, arguments) { statement in
            rows.append(SQLRow((0..<sqlite3_column_count(statement)).map { SQLValue(statement, column: $0) }))
        }
        return rows
    }

    func script(_ sql: String) throws {
        try database.execute(sql: sql)
    }

    func notify(_ text: String, _: NotificationReach) {
        notifications.texts.append(text)
    }

    /// Runs the body in a savepoint, which is rolled back when the body throws.
    func inSavepoint<Value>(_ body: (SQLiteConnection) throws -> Value) throws -> Value {
        try run("SAVEPOINT pouch", [])
        do {
            let value = try body(self)
            try run("RELEASE pouch", [])
            return value
        } catch {
            // SQLite itself rolls back the whole transaction after some errors, such as a full disk.
            if database.isInsideTransaction {
                try run("ROLLBACK TO pouch", [])
                try run("RELEASE pouch", [])
            }
            throw error
        }
    }

    /// Calls the closure for each row of the statement.
    private func execute(_ sql: String, _ arguments: [SQLValue], _ row: (SQLiteStatement) throws -> Void) throws {
        let statement = try database.cachedStatement(sql: sql).sqliteStatement
        // Without the reset, a statement would keep its read lock, and without the clearing, its texts.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        // SQLite treats a missing argument as NULL.
        guard Int(sqlite3_bind_parameter_count(statement)) == arguments.count else {
            throw DatabaseError(resultCode: .SQLITE_RANGE, message: "wrong number of arguments", sql: sql)
        }
        for (index, argument) in arguments.enumerated() {
            try check(argument.bind(to: statement, at: CInt(index + 1)), sql)
        }
        while true {
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else { return try check(code, sql) }
            try row(statement)
        }
    }

    private func check(_ code: CInt, _ sql: String) throws {
        guard code != SQLITE_OK, code != SQLITE_DONE else { return }
        let message = sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)), message: message,
            sql: sql)
    }
}

extension SQLValue {
    /// SQLite copies the bytes before the call returns (SQLITE_TRANSIENT).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    fileprivate init(_ statement: SQLiteStatement, column: CInt) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        // A number beyond 64 bits reads as NULL.
        case SQLITE_FLOAT:
            self = .optional(Int64(exactly: sqlite3_column_double(statement, column).rounded(.towardZero)))
        case SQLITE_TEXT:
            let text = sqlite3_column_text(statement, column)
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let bytes = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .blob(bytes.map { Data(bytes: $0, count: count) } ?? Data())
        default: self = .null
        }
    }

    /// - Returns: SQLite's result code.
    fileprivate func bind(to statement: SQLiteStatement, at index: CInt) -> CInt {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let integer): return sqlite3_bind_int64(statement, index, integer)
        case .text(var text):
            // SQLite treats a text without an address as NULL.
            guard !text.isEmpty else { return sqlite3_bind_text(statement, index, "", 0, Self.copied) }
            return text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(statement, index, $0.baseAddress, CInt($0.count), Self.copied)
                }
            }
        case .blob(let data):
            guard !data.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return data.withUnsafeBytes {
                sqlite3_bind_blob(statement, index, $0.baseAddress, CInt($0.count), Self.copied)
            }
        }
    }
}
