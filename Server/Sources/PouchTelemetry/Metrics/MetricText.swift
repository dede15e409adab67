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
