import Benchmarking
import ServerTesting

/// Figures of alternating rounds.
public struct Rates {
    private var measured: [Double] = []
    private var compared: [Double] = []

    public init() {}

    public mutating func append(_ measured: Double, _ compared: Double) {
        self.measured.append(measured)
        self.compared.append(compared)
    }

    /// Prints the medians of both, and that of the ratios.
    public func show(_ name: String, width: Int = 10) {
        let ratios = zip(measured, compared).map { $0 / $1 }
        let figures = ["\(Int(measured.median))", "\(Int(compared.median))", ratios.median.text(2)]
        sayRow(name, 20, figures, width, note: "  (\(ratios.map { $0.text(2) }.joined(separator: ", ")))")
    }
}

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
        sayRow(title, name, ["\(transactions.count)", "\(transactions.joined().count)"], column)
        guard let value else { throw BenchError("\(title) has no answer") }
        return value
    }
}
