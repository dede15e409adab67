import HTTPTypes
import ServerTesting
import Synchronization
import Testing

/// Metrics read from the text format of Prometheus, by its rules: each metric has one block, which begins with its help
/// and type; no series occurs twice; the buckets of histograms are cumulative.
struct Exposition {
    struct Mistake: Error {
        let line: String
        let reason: String
    }

    struct Series: Hashable {
        let name: String
        let labels: [String: String]
    }

    private(set) var types: [String: String] = [:]
    private(set) var values: [Series: Double] = [:]

    init(_ text: String) throws {
        try Self.require(text.hasSuffix("\n"), "the last line has no end", "")
        var family = ""
        var helped: Set<String> = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) {
            let words = line.split(separator: " ").map(String.init)
            if line.hasPrefix("# HELP ") {
                family = words[2]
                try Self.require(helped.insert(family).inserted && words.count > 3, "help twice or empty", line)
            } else if line.hasPrefix("# TYPE ") {
                let isKnown = ["counter", "gauge", "histogram"].contains(words.last)
                try Self.require(
                    words.count == 4 && words[2] == family && types[family] == nil && isKnown, "type", line)
                types[family] = words[3]
            } else {
                try read(line, of: family)
            }
        }
        try checkHistograms()
    }

    private static func require(_ condition: Bool, _ reason: String, _ line: String) throws {
        guard condition else { throw Mistake(line: line, reason: reason) }
    }

    /// - Parameter name: the name of the series, such as `pouch_http_request_duration_seconds_count`.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        values[Series(name: name, labels: labels)]
    }

    /// The sum of the series that have at least these labels.
    func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        values.filter { series, _ in
            series.name == name && labels.allSatisfy { series.labels[$0.key] == $0.value }
        }.reduce(0) { $0 + $1.value }
    }

    private mutating func read(_ line: String, of family: String) throws {
        let head = line.prefix(upTo: line.lastIndex(of: " ") ?? line.startIndex)
        let name = String(head.prefix { $0 != "{" })
        let braces = head.dropFirst(name.count)
        guard Self.isName(name), let type = types[family], braces.isEmpty || braces.last == "}" else {
            throw Mistake(line: line, reason: "no sample")
        }
        let suffixes = type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        try Self.require(suffixes.contains { name == family + $0 }, "family", line)
        try Self.require(type != "counter" || family.hasSuffix("_total"), "counter", line)
        let number = line[head.endIndex...].dropFirst()
        guard let value = number == "+Inf" ? .infinity : Double(number) else {
            throw Mistake(line: line, reason: "number")
        }
        let series = Series(name: name, labels: try labels(braces.dropFirst().dropLast(), in: line))
        try Self.require(values.updateValue(value, forKey: series) == nil, "twice", line)
    }

    private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:0123456789".utf8)

    private static func isName(_ text: some StringProtocol) -> Bool {
        text.first?.isNumber == false && text.utf8.allSatisfy(nameBytes.contains)
    }

    private func labels(_ text: Substring, in line: String) throws -> [String: String] {
        var labels: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            let name = rest.prefix { $0 != "=" }
            var isEscaped = false
            let value = rest.dropFirst(name.count + 2).prefix { character in
                defer { isEscaped = character == "\\" && !isEscaped }
                return character != "\"" || isEscaped
            }
            let end = rest[value.endIndex...]
            // The three escapes are also those of JSON, which has more. Labels have no colon, unlike metrics.
            guard Self.isName(name), !name.contains(":"),
                !value.contains("\\") || value.wholeMatch(of: /(?:[^\\]|\\["\\n])*/) != nil,
                rest.dropFirst(name.count).hasPrefix("=\""), end == "\"" || end.hasPrefix("\","),
                let found = try JSON(json: "\"\(value)\"").string,
                labels.updateValue(found, forKey: String(name)) == nil
            else { throw Mistake(line: line, reason: "labels") }
            rest = end.dropFirst(2)
        }
        return labels
    }

    private func checkHistograms() throws {
        for (name, type) in types where type == "histogram" {
            let buckets = values.filter { $0.key.name == name + "_bucket" }
            let series = Dictionary(grouping: buckets) { $0.key.labels.filter { $0.key != "le" } }
            for (labels, buckets) in series {
                let sorted = buckets.map { (bound: $0.key.labels["le"].flatMap(Double.init) ?? .infinity, $0.value) }
                    .sorted { $0.bound < $1.bound }
                guard sorted.map(\.1) == sorted.map(\.1).sorted(), sorted.last?.bound == .infinity,
                    sorted.last?.1 == value(name + "_count", labels), value(name + "_sum", labels) != nil
                else { throw Mistake(line: name, reason: "buckets of \(labels)") }
            }
        }
    }
}

/// The port at which a server serves its metrics.
final class MetricsPort: Sendable {
    private let port = Mutex(0)

    func open(_ configuration: inout ServerConfiguration) {
        configuration.telemetry.metrics = .init(port: 0)
        configuration.telemetry.onMetricsListening = { [self] found in port.withLock { $0 = found } }
    }

    var number: Int { port.withLock { $0 } }

    func text() async throws -> String {
        let answer = try await Transport.tcp(port: number)(.get, "/metrics", [:], nil)
        #expect(answer.status == 200 && answer.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        return String(decoding: answer.body, as: UTF8.self)
    }

    func scrape() async throws -> Exposition { try Exposition(try await text()) }
}
