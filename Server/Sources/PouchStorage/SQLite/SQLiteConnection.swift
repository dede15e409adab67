import Foundation
import GRDB

/// A connection of SQLite, valid within one closure of `SQLiteDatabase`.
struct SQLiteConnection: SQLConnection {
    let database: GRDB.Database
    let notifications: Notifications

    /// The texts that a transaction will send.
    final class Notifications {
        var texts: [String] = []
    }

    var dialect: SQLDialect { .sqlite }

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        let statement = try database.cachedStatement(sql: sql)
        try statement.execute(arguments: StatementArguments(arguments.map(\.databaseValue)))
        return database.changesCount
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        let statement = try database.cachedStatement(sql: sql)
        let cursor = try Row.fetchCursor(
            statement, arguments: StatementArguments(arguments.map(\.databaseValue)))
        // Read from the statement, since GRDB's rows look up the name of each column.
        let columns = 0..<CInt(statement.columnCount)
        var rows: [SQLRow] = []
        while try cursor.next() != nil {
            rows.append(
                SQLRow(columns.map { SQLValue(DatabaseValue(sqliteStatement: statement.sqliteStatement, index: $0)) }))
        }
        return rows
    }

    func script(_ sql: String) throws {
        try database.execute(sql: sql)
    }

    func notify(_ text: String) {
        notifications.texts.append(text)
    }
}

extension SQLValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let double): self = .integer(Int64(double))
        case .string(let text): self = .text(text)
        case .blob(let data): self = .blob(data)
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let data): data.databaseValue
        }
    }
}
