import Benchmarking
import ServerTesting

/// A table of the transactions and SQL statements of requests, without BEGIN and COMMIT.
public enum StatementCounts {
    private static let (name, column) = (40, 14)

    public static func showHead(_ title: String) {
        say("\(title), without BEGIN and COMMIT\n")
        sayRow("", name, ["transactions", "statements"], column)
    }

    /// Prints a row with the counts of the work, which is done by one task.
    public static func show<Value>(_ title: String, _ work: () async throws -> Value) async throws -> Value {
        var value: Value?
        let transactions = try await RecordingDatabase.transactions { value = try await work() }
        sayRow(title, name, [transactions.count, transactions.joined().count].map { "\($0)" }, column)
        guard let value else { throw BenchError("\(title) has no answer") }
        return value
    }
}
