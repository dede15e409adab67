import Foundation
import PouchJSON

/// A time in a form field: `2027-01-31T09:30` in the shop's time zone, as `datetime-local` sends it.
struct LocalTime {
    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    /// Parses a time; nil for any other text, and for a day that does not exist.
    ///
    /// - Parameter text: a time, optionally with seconds, or a full time with its own offset.
    init?(_ text: String, in timeZone: TimeZone) {
        let whole = text.count == "2027-01-31T09:30".count ? text + ":00" : text
        guard let date = WireTime.date(whole, Self.forms(timeZone)) ?? WireTime.date(text) else { return nil }
        self.date = date
    }

    /// The text for the value of a field. Omits the seconds if they are zero.
    func text(in timeZone: TimeZone) -> String {
        let whole = Self.forms(timeZone)[0].format(date)
        return whole.hasSuffix(":00") ? String(whole.dropLast(3)) : whole
    }

    private static func forms(_ timeZone: TimeZone) -> [Date.ISO8601FormatStyle] {
        let day = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        return [day.time(includingFractionalSeconds: false), day.time(includingFractionalSeconds: true)]
    }
}
