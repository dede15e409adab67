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
