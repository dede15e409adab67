import Foundation
import ToolArguments

/// A reason why a benchmark has no figure to report.
public struct BenchError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Calls the closure with a new temporary folder, which is removed afterwards.
public func withTemporaryFolder<Value: Sendable>(
    _ body: @Sendable (URL) async throws -> Value
) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "pouch-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder)
}

/// The parts of a benchmark that the arguments of the program name; without arguments, all. Ends the program for `--help`
/// and for another word.
///
/// - Parameter summary: a sentence about what is measured.
public func partsToMeasure<Part>(_ type: Part.Type = Part.self, of summary: String) -> [Part]
where Part: CaseIterable & RawRepresentable, Part.RawValue == String {
    let all = Part.allCases.map(\.rawValue).joined(separator: ", ")
    let help = """
        usage: \(programName) [PART...]

        \(summary) The parts are \(all); without one, all are measured. Runs on SQLite, or on the PostgreSQL server in
        POUCH_TEST_POSTGRES.
        """
    let names = ToolArguments.read(help: help, words: 0...Part.allCases.count).words
    let parts = ToolArguments.accepting { () throws(ToolArguments.Refusal) in
        try names.map { name throws(ToolArguments.Refusal) in
            guard let part = Part(rawValue: name) else {
                throw ToolArguments.Refusal(text: "There is no part \(name).")
            }
            return part
        }
    }
    return parts.isEmpty ? Array(Part.allCases) : parts
}

/// Ends a benchmark without parts for `--help` and for any argument.
public func readNoArguments(of summary: String) {
    _ = ToolArguments.read(help: "usage: \(programName)\n\n\(summary)")
}

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
    say(name.padded(nameWidth) + columns.map { $0.leftPadded(width) }.joined() + note)
}

extension String {
    public func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
    public func leftPadded(_ width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - count)) + self
    }
}

// MARK: - Samples

extension [Double] {
    public var median: Double { sorted()[count / 2] }

    /// The percentile of ascending values; 0 if there are none.
    public func percentile(_ percent: Int) -> Double {
        isEmpty ? 0 : self[Swift.min(count - 1, count * percent / 100)]
    }
}

extension ContinuousClock.Instant {
    /// The seconds since this moment, with fractions.
    public var elapsedSeconds: Double { duration(to: .now) / .seconds(1) }
}

// MARK: - Feeds

/// A catalogue of cardigans as Shopify exports it, with ten variants of each product.
public struct CardiganFeed {
    private let handle: String
    private let sku: String
    private let variants: Int
    private let stock: Int

    /// - Parameters:
    ///   - handle: The start of the handle of each product, before its number.
    ///   - sku: The start of the SKU of each variant, before its number.
    ///   - stock: Units of each variant.
    public init(handle: String, sku: String, variants: Int, stock: Int = 1_000_000) {
        self.handle = handle
        self.sku = sku
        self.variants = variants
        self.stock = stock
    }

    public var csv: String {
        var text =
            "Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Grams,"
            + "Variant Inventory Qty,Variant Price,Image Src,Image Position\n"
        for number in 0..<variants {
            let (product, variant) = number.quotientAndRemainder(dividingBy: 10)
            let head =
                variant == 0
                ? "Cardigan No. \(product),A cardigan of soft wool in pattern \(product % 17).,Cardigans,"
                    + "\"wool, knit\",Size"
                : ",,,,"
            let image = variant == 0 ? "https://example.com/\(handle)-\(product).jpg,1" : ","
            text += "\(handle)-\(product),\(head),S\(variant),\(sku)-\(number),300,\(stock),25.90,\(image)\n"
        }
        return text
    }
}
