import Foundation
import GRDB

/// A file of SQLite that somebody else works on.
enum OtherDatabase {
    static func make(at file: URL) throws {
        try run("CREATE TABLE diary (day TEXT)", at: file)
    }

    static func run(_ sql: String, at file: URL) throws {
        let database = try DatabaseQueue(path: file.path)
        try database.write { try $0.execute(sql: sql) }
        try database.close()
    }
}
