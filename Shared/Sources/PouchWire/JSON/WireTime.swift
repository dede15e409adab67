import Foundation

/// RFC 3339 times; written in UTC with milliseconds, read with any offset and with or without a fraction.
public enum WireTime {
    private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let seconds = Date.ISO8601FormatStyle()

    /// Rounded to the nearest millisecond.
    public static func text(_ date: Date) -> String {
        // The style cuts off; half a millisecond more would round 0.9995 up, so the whole is rounded first.
        let rounded = (date.timeIntervalSince1970 * 1000).rounded() / 1000
        return milliseconds.format(Date(timeIntervalSince1970: rounded + 0.000_1))
    }

    /// Rounded to the nearest millisecond, so that equal times are equal dates however they were computed.
    public static func date(_ text: String) -> Date? {
        ((try? milliseconds.parse(text)) ?? (try? seconds.parse(text))).map {
            Date(timeIntervalSince1970: ($0.timeIntervalSince1970 * 1000).rounded() / 1000)
        }
    }
}
