import Foundation

/// RFC 3339 times; written in UTC with milliseconds, read with any offset and with or without a fraction.
public enum WireTime {
    private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let seconds = Date.ISO8601FormatStyle()

    /// Rounded to the nearest millisecond.
    public static func text(_ date: Date) -> String {
        // The style truncates and a Double may lie just below its millisecond, so the date is rounded first and then
        // moved up a little.
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

/// A time in UTC by the Gregorian calendar, written and read without a formatter.
///
/// The day of the month is computed from the number of days since 1970-01-01 in eras of 400 years that begin in March
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
struct CivilTime {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysBefore1970 = 719_468
    private static let eraDays = 146_097
    /// Foundation uses the Julian calendar before 1582-10-15.
    private static let firstYear = 1583

    private let year: Int
    private let month: Int
    private let day: Int
    /// Milliseconds since midnight.
    private let time: Int

    /// - Parameter milliseconds: whole, since 1970.
    /// - Returns: nil outside the years 1583 to 9999.
    init?(milliseconds: Double) {
        guard abs(milliseconds) < 1e15 else { return nil }
        let milliseconds = Int64(milliseconds)
        var days = Int(milliseconds / Self.dayMilliseconds)
        var time = Int(milliseconds % Self.dayMilliseconds)
        if time < 0 {
            days -= 1
            time += Int(Self.dayMilliseconds)
        }
        let shifted = days + Self.daysBefore1970
        let era = (shifted >= 0 ? shifted : shifted - Self.eraDays + 1) / Self.eraDays
        let dayOfEra = shifted - era * Self.eraDays
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        self.time = time
        guard (Self.firstYear...9999).contains(year) else { return nil }
    }

    /// Writes 24 bytes, such as `2026-11-22T08:49:10.205Z`.
    func write(to text: UnsafeMutablePointer<UInt8>) {
        func put(_ value: Int, at position: Int, digits: Int, then end: Unicode.Scalar) {
            var rest = value
            for digit in (0..<digits).reversed() {
                text[position + digit] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            text[position + digits] = UInt8(ascii: end)
        }
        put(year, at: 0, digits: 4, then: "-")
        put(month, at: 5, digits: 2, then: "-")
        put(day, at: 8, digits: 2, then: "T")
        put(time / 3_600_000, at: 11, digits: 2, then: ":")
        put(time / 60_000 % 60, at: 14, digits: 2, then: ":")
        put(time / 1_000 % 60, at: 17, digits: 2, then: ".")
        put(time % 1_000, at: 20, digits: 3, then: "Z")
    }

    /// Reads the form that `write` writes, as milliseconds since 1970; nil for any other, which may still be a time.
    static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        let form: StaticString = "0000-00-00T00:00:00.000Z"
        guard text.count == form.utf8CodeUnitCount else { return nil }
        for index in 0..<text.count {
            let expected = form.utf8Start[index]
            guard expected == UInt8(ascii: "0") ? text[index] &- expected < 10 : text[index] == expected else {
                return nil
            }
        }
        func number(_ range: Range<Int>) -> Int { range.reduce(0) { $0 * 10 + Int(text[$1] - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        // The ends of months, of which some have 28 days, are left to Foundation.
        guard year >= firstYear, (1...12).contains(month), (1...28).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let yearFromMarch = month <= 2 ? year - 1 : year
        let yearOfEra = yearFromMarch % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days =
            yearFromMarch / 400 * eraDays + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - daysBefore1970
        return Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + Int64(number(20..<23))
    }
}
