/// A metric with its current values, as in Prometheus' text format (version 0.0.4).
///
///     let family = MetricFamily("pouch_imports_waiting", "Imports that are not done.", .gauge, value: 2)
public struct MetricFamily: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    /// A value. The name of a histogram's sample has a suffix, such as `_bucket`.
    public struct Sample: Sendable, Equatable {
        public let suffix: String
        public let labels: [MetricLabel]
        public let value: Double

        public init(_ value: Double, labels: [MetricLabel] = [], suffix: String = "") {
            self.value = value
            self.labels = labels
            self.suffix = suffix
        }
    }

    public let name: String
    public let help: String
    public let kind: Kind
    public internal(set) var samples: [Sample]

    /// - Parameter name: letters, digits and underscores; other characters become underscores. The name of a counter
    ///   ends with `_total`.
    public init(_ name: String, _ help: String, _ kind: Kind, _ samples: [Sample]) {
        self.name = name.metricName
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    public init(_ name: String, _ help: String, _ kind: Kind, value: Double) {
        self.init(name, help, kind, [Sample(value)])
    }

    /// Creates a histogram of values that were counted elsewhere.
    ///
    /// - Parameters:
    ///   - bounds: the inclusive upper bounds of the buckets, ascending.
    ///   - counts: the number of values in each single bucket; the last one is for values above all bounds.
    public static func histogram(
        _ name: String, _ help: String, bounds: [Double], counts: [Int], sum: Double, labels: [MetricLabel] = []
    ) -> MetricFamily {
        MetricFamily(name, help, .histogram, histogramSamples(bounds: bounds, counts: counts, sum: sum, labels: labels))
    }

    /// The buckets of the format are cumulative, and the last one equals the count.
    static func histogramSamples(bounds: [Double], counts: [Int], sum: Double, labels: [MetricLabel]) -> [Sample] {
        var (samples, total) = ([Sample](), 0)
        samples.reserveCapacity(counts.count + 2)
        for (place, count) in counts.enumerated() {
            total += count
            let bound = place < bounds.count ? MetricText.number(bounds[place]) : "+Inf"
            samples.append(
                Sample(Double(total), labels: labels + [MetricLabel("le", bound)], suffix: "_bucket"))
        }
        return samples + [
            Sample(sum, labels: labels, suffix: "_sum"), Sample(Double(total), labels: labels, suffix: "_count"),
        ]
    }
}

/// The name and value of a label.
public struct MetricLabel: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name.metricName
        self.value = value
    }
}

extension String {
    /// The text as a metric or label name: letters, digits and underscores, not starting with a digit.
    var metricName: String {
        let isName = utf8.allSatisfy { $0.isNamePart } && utf8.first.map { !$0.isDigit } ?? false
        if isName { return self }
        let text = String(decoding: utf8.map { $0.isNamePart ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        return text.utf8.first.map { !$0.isDigit } ?? false ? text : "_" + text
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isNamePart: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
    }
}

/// Writes metrics in the text format of Prometheus, version 0.0.4:
/// https://prometheus.io/docs/instrumenting/exposition_formats/
public struct MetricText {
    public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// - Parameter families: families with different names. A family without values still has its name, help and type.
    public static func write(_ families: [MetricFamily]) -> String {
        var writer = MetricText()
        for family in families { writer.write(family) }
        return writer.text
    }

    private mutating func write(_ family: MetricFamily) {
        text += "# HELP \(family.name) \(Self.escaped(family.help, quotes: false))\n"
        text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
        for sample in family.samples {
            text += family.name
            text += sample.suffix
            if !sample.labels.isEmpty {
                for (place, label) in sample.labels.enumerated() {
                    text += place == 0 ? "{" : ","
                    text += label.name
                    text += "=\""
                    text += Self.escaped(label.value, quotes: true)
                    text += "\""
                }
                text += "}"
            }
            text += " "
            text += Self.number(sample.value)
            text += "\n"
        }
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The shortest text that parses back to the number; whole numbers have no decimals.
    static func number(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number > 0 ? "+Inf" : "-Inf" }
        return "\(number)"
    }
}
