import ServerTesting
import Synchronization
import Testing

/// Writes each SQL statement that a test executes, with the test's suite, to the file POUCH_STATEMENTS.
/// `.ci/statements` reads it, and chooses and checks the suites that run on PostgreSQL.
struct StatementLog: DatabaseWrapper {
    let database: any Database
    private let file: StatementFile

    /// Returns the database itself unless statements are logged.
    static func logging(_ database: any Database) -> any Database {
        StatementFile.shared.map { StatementLog(database: database, file: $0) } ?? database
    }

    func wrapped<Value>(_ body: @escaping SQLTransaction<Value>) -> SQLTransaction<Value> {
        guard let suite = Test.current?.id.nameComponents.first else { return body }
        return { [file] connection in
            try body(ObservedConnection(connection) { sql, _ in file.add(sql, by: suite) })
        }
    }
}

/// Lines of a suite, a tab and a statement on one line. Each pair is written once.
private final class StatementFile: Sendable {
    static let shared = ProcessInfo.processInfo.environment["POUCH_STATEMENTS"].flatMap(StatementFile.init)

    private let lines: Mutex<(written: Set<String>, file: FileHandle)>

    private init?(path: String) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { return nil }
        lines = Mutex((written: [], file: file))
    }

    func add(_ sql: String, by suite: String) {
        let line = suite + "\t" + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") + "\n"
        lines.withLock { lines in
            if lines.written.insert(line).inserted { try? lines.file.write(contentsOf: Data(line.utf8)) }
        }
    }
}
