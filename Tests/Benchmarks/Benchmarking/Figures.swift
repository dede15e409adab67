@_exported import Foundation
@_exported import Logging
import ToolArguments

/// A reason why a benchmark has no figure to report.
public struct BenchError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Calls the closure with a new temporary folder, which is removed afterwards.
public func withTemporaryFolder<Value: Sendable>(_ body: @Sendable (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// Does two works one after the other, in the other order in every second round, so that neither always runs while the
/// machine still tidies up after the other.
public func byTurns<Value>(
    _ round: Int, _ one: () async throws -> Value, and other: () async throws -> Value
) async throws -> (Value, Value) {
    if round.isMultiple(of: 2) { return (try await one(), try await other()) }
    let first = try await other()
    return (try await one(), first)
}

extension Logger {
    /// The logger of a server in a benchmark, whose figures alone are on standard output.
    public static func bench(_ level: Level) -> Logger {
        var logger = Logger(label: "bench", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = level
        return logger
    }
}

// MARK: - Arguments

/// The parts of a benchmark that the arguments of the program name; without arguments, all. Ends the program for `--help`
/// and for another word.
public func partsToMeasure<Part>(_ type: Part.Type = Part.self, of summary: String) -> [Part]
where Part: CaseIterable & RawRepresentable, Part.RawValue == String {
    let all = Part.allCases.map(\.rawValue).joined(separator: ", ")
    let help = """
        usage: \(programName) [PART...]

        \(summary) The parts are \(all); without one, all are measured. Runs on SQLite, or on the PostgreSQL server in
        POUCH_TEST_POSTGRES.
        """
    let parts = ToolArguments.read(help: help, words: 0...Part.allCases.count).words.map { name -> Part in
        guard let part = Part(rawValue: name) else { ToolArguments.refuse("There is no part \(name).") }
        return part
    }
    return parts.isEmpty ? Array(Part.allCases) : parts
}

/// Ends a benchmark without parts for `--help` and for any argument.
public func readNoArguments(of summary: String) { _ = ToolArguments.read(help: "usage: \(programName)\n\n\(summary)") }

/// The words of a benchmark that also runs as a server of its own. Ends the program for `--help`, for an option, and for
/// words that begin with none of these.
///
/// - Parameter forms: the first words, each with the number of those that follow.
public func wordsOfProgram(_ forms: [String: ClosedRange<Int>], help: String) -> [String] {
    let most = forms.values.map(\.upperBound).max() ?? 0
    let words = ToolArguments.read(help: help, words: 0...(most + 1)).words
    if let first = words.first, forms[first]?.contains(words.count - 1) != true {
        ToolArguments.refuse("There is no part \(words.joined(separator: " ")).")
    }
    return words
}

private var programName: String { URL(filePath: CommandLine.arguments.first ?? "").lastPathComponent }

// MARK: - Tables

/// Prints a line and flushes it, so that it appears at once in a pipe too.
public func say(_ line: String) {
    print(line)
    fflush(nil)
}

/// Prints one row of a table: a name, then right-aligned columns.
public func sayRow(_ name: String, _ nameWidth: Int, _ columns: [String], _ width: Int, note: String = "") {
    say(name.padded(nameWidth) + columns.map { spaces(width - $0.count) + $0 }.joined() + note)
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

extension String {
    public func padded(_ width: Int) -> String { self + spaces(width - count) }

    /// The numbers of the first line that begins with the text, at least one.
    public func numbers(ofLine start: String) throws -> [Double] {
        let words = split(separator: "\n").first { $0.hasPrefix(start) }?.dropFirst(start.count)
            .split(whereSeparator: \.isWhitespace)
        let numbers = (words ?? []).compactMap { Double($0) }
        guard !numbers.isEmpty else { throw BenchError("no number after \(start) in: \(self)") }
        return numbers
    }
}

// MARK: - Samples

extension Double {
    /// The number with so many decimal places.
    public func text(_ places: Int) -> String { String(format: "%.\(places)f", self) }
}

extension [Double] {
    public var median: Double { sorted()[count / 2] }

    /// The percentile of ascending values; 0 if there are none.
    public func percentile(_ percent: Int) -> Double { isEmpty ? 0 : self[Swift.min(count - 1, count * percent / 100)] }
}

extension ContinuousClock.Instant {
    /// The seconds since this moment, with fractions.
    public var elapsedSeconds: Double { duration(to: .now) / .seconds(1) }
}

/// A catalogue of cardigans as Shopify exports it, with ten variants of each product. Numbers follow the handle and the
/// SKU.
public func cardiganFeed(handle: String, sku: String, variants: Int, stock: Int = 1_000_000) -> String {
    let head =
        "Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Grams,"
        + "Variant Inventory Qty,Variant Price,Image Src,Image Position\n"
    return (0..<variants).reduce(into: head) { text, number in
        let (product, variant) = number.quotientAndRemainder(dividingBy: 10)
        let isFirst = variant == 0
        let title = isFirst ? "Cardigan No. \(product),A cardigan of soft wool in pattern \(product % 17)." : ","
        let kind = isFirst ? "Cardigans,\"wool, knit\",Size" : ",,"
        let image = isFirst ? "https://example.com/\(handle)-\(product).jpg,1" : ","
        text += "\(handle)-\(product),\(title),\(kind),S\(variant),\(sku)-\(number),300,\(stock),25.90,\(image)\n"
    }
}
