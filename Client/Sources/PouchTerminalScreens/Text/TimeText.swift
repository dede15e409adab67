import Foundation

/// How moments are shown.
public enum TimeText {
    /// As in `2026-11-21 10:15`.
    public static func minutes(_ time: Date, _ timeZone: TimeZone) -> String {
        let format = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
            .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        return String(time.formatted(format).prefix(16))
    }
}
