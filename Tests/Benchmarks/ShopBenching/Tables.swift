import Benchmarking
import ServerTesting

/// Figures of alternating rounds.
public struct Rates {
    /// Compares two loads in alternating rounds, and prints how much they do per second, and the microseconds for each.
    public static func show(
        rounds: Int, _ names: [String], _ one: (Int) async throws -> (perSecond: Double, processorTime: Double),
        and other: (Int) async throws -> (perSecond: Double, processorTime: Double)
    ) async throws {
        var (rates, times) = (Rates(), Rates())
        for round in 0..<rounds {
            let (measured, compared) = try await byTurns(
                round, { try await one(round) }, and: { try await other(round) })
            rates.append(measured.perSecond, compared.perSecond)
            times.append(measured.processorTime, compared.processorTime)
        }
        sayRow("", 20, names + ["ratio", "(rounds)"], 12)
        rates.show("per second", width: 12)
        times.show("processor, µs", width: 12)
    }

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
