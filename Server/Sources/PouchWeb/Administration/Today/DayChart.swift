import PouchTemplates

/// The values of the partial `admin-chart`.
struct ChartValues: TemplateValues {
    struct Bar: TemplateValues {
        let x, y, width, height, label, value: String
        /// Whether the day is not over yet.
        let isOpen: Bool
    }

    struct Line: TemplateValues {
        let points, area: String
    }

    /// A horizontal grid line from the left edge to `x`.
    struct GridLine: TemplateValues {
        let x, y: String
    }

    let id, title, total, description: String
    let width, height: String
    let ticks, scale: [String]
    let grid: [GridLine]
    var bars: [Bar] = []
    var line: Line?
    let labelHeading, valueHeading: String
    let rows: [FactValues]
}

/// A chart of a value by day, drawn in SVG on the server.
struct DayChart {
    private static let (width, height) = (600.0, 150.0)
    /// The space above the highest point, for the stroke of the line.
    private static let margin = 3.0
    /// The highest value that is drawn; higher values are drawn like this one.
    private static let highest: Int64 = 1_000_000_000_000_000_000

    /// The value of a day.
    struct Day {
        /// The label, such as “14 March”.
        let label: String
        let value: Int64
    }

    let id: String
    let title: String
    /// The total of all days, formatted for people.
    let total: String
    /// The days. The last one is not over yet.
    let days: [Day]
    /// Formats a value for the scale and the table.
    let text: (Int64) -> String

    /// The highest value; 0 without sales, which is drawn as a line at the bottom, without a scale.
    private var most: Int64 { max(0, days.map(\.value).max() ?? 0) }
    /// The value at the top of the scale: 2, 4, 6, 8 or 10 times a power of ten, so that the middle mark is also a
    /// round number.
    private var top: Int64 {
        let most = min(most, Self.highest)
        var step: Int64 = 1
        while step * 10 < most { step *= 10 }
        return (most + 2 * step - 1) / (2 * step) * 2 * step
    }

    /// The chart as a line over an area.
    var line: ChartValues {
        let step = Self.width / Double(max(1, days.count - 1))
        let points = days.enumerated().map { index, day in
            (x: Self.written(Double(index) * step), y: Self.written(Self.height - length(day.value)))
        }
        let bottom = Self.written(Self.height)
        let area = points.map { "L\($0.x) \($0.y)" }.joined(separator: " ")
        var values = values
        values.line = .init(
            points: points.map { "\($0.x),\($0.y)" }.joined(separator: " "),
            area: "M0 \(bottom) \(area) L\(Self.written(Self.width)) \(bottom) Z")
        return values
    }

    /// The chart with a bar for each day.
    var bars: ChartValues {
        let step = Self.width / Double(max(1, days.count))
        var values = values
        values.bars = days.enumerated().map { index, day -> ChartValues.Bar in
            let length = length(day.value)
            return .init(
                x: Self.written((Double(index) + 0.1) * step), y: Self.written(Self.height - length),
                width: Self.written(step * 0.8), height: Self.written(length), label: day.label,
                value: text(day.value), isOpen: index == days.count - 1)
        }
        return values
    }

    private var values: ChartValues {
        let marks = [0.5, Self.height / 2, Self.height - 0.5]
        let ticks = [days.first, days[days.count / 2], days.last].compactMap { $0?.label }
        return ChartValues(
            id: id, title: title, total: total,
            description: "\(title) by day: \(total) over \(days.count) days, at most \(text(most)) per day.",
            width: Self.written(Self.width), height: Self.written(Self.height), ticks: ticks,
            scale: most == 0 ? [] : [text(top), text(top / 2), text(0)],
            grid: marks.map { .init(x: Self.written(Self.width), y: Self.written($0)) }, labelHeading: "Day",
            valueHeading: title, rows: days.map { .init(label: $0.label, value: text($0.value)) })
    }

    /// The length of a bar; 0 for a day with more refunds than sales.
    private func length(_ value: Int64) -> Double {
        Double(max(0, min(value, top))) / Double(max(1, top)) * (Self.height - Self.margin)
    }

    /// A number with one decimal. A page has hundreds of them, and a number format would be slow.
    private static func written(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}
