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

/// Lines of a suite, a tab and a statement on one line. Each pair is written once, unless its spaces differ.
private final class StatementFile: Sendable {
    static let shared = ProcessInfo.processInfo.environment["POUCH_STATEMENTS"].flatMap(StatementFile.init)

    private let state: Mutex<(statements: [String: Set<String>], file: FileHandle)>

    private init?(path: String) {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { return nil }
        state = Mutex((statements: [:], file: file))
    }

    func add(_ sql: String, by suite: String) {
        state.withLock { state in
            guard state.statements[suite, default: []].insert(sql).inserted else { return }
            let line = suite + "\t" + sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") + "\n"
            try? state.file.write(contentsOf: Data(line.utf8))
        }
    }
}
