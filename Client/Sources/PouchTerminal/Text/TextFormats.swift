import Foundation

public enum DistanceText {
    /// A distance for people, rounded: `850 m`, `4.2 km`, `31 km`.
    public static func text(_ metres: Double) -> String {
        guard metres < 1e9 else { return "far" }
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        let isWhole = tenths >= 100 || tenths.isMultiple(of: 10)
        return isWhole ? "\((tenths + 5) / 10) km" : "\(tenths / 10).\(tenths % 10) km"
    }
}

public enum TimeText {
    /// A date and time to the minute: `2026-11-21 10:15`.
    public static func minutes(_ time: Date, _ timeZone: TimeZone) -> String {
        let format = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
            .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return String(time.formatted(format).prefix(16))
    }
}
