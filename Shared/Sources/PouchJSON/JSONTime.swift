import Foundation

/// RFC 3339 times, written in UTC with milliseconds, and read in every form of its grammar.
public enum WireTime {
    private static let milliseconds = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// The text of a time, rounded to the nearest millisecond.
    public static func text(_ date: Date) -> String {
        let rounded = (date.timeIntervalSince1970 * 1000).rounded()
        if let time = CivilTime(milliseconds: rounded) {
            return String(unsafeUninitializedCapacity: CivilTime.length) { buffer in
                buffer.baseAddress.map { time.write(to: $0) }
                return CivilTime.length
            }
        }
        // The style truncates, and a Double may be just below its millisecond, so the date is increased a little.
        return milliseconds.format(Date(timeIntervalSince1970: rounded / 1000 + 0.000_1))
    }

    /// The time of a text, rounded to the nearest millisecond, so that equal times are equal dates however they were
    /// computed.
    public static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8(date)
    }

    static func date(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        CivilTime.milliseconds(text).map { Date(timeIntervalSince1970: Double($0) / 1000) }
    }

    /// Reads a text in the first of several forms that fits all of it.
    ///
    /// - Returns: nil also for a day that is not in the calendar and a time that is not on the clock. Foundation reads
    ///   30 February as 2 March, and 24:30 as the next day.
    public static func date(_ text: String, _ forms: [Date.ISO8601FormatStyle]) -> Date? {
        guard exists(text) else { return nil }
        return forms.lazy.compactMap { $0.date(ofAll: text) }.first
    }

    /// Whether a text begins with a day in the calendar, such as `2026-12-01`, followed by a time on the clock, such as
    /// `T09:30` or `T09:30:00.5+01:00`, or nothing.
    private static func exists(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>, after separator: Unicode.Scalar? = nil) -> Int? {
            guard range.upperBound <= bytes.count,
                separator.map({ bytes[range.lowerBound - 1] == UInt8(ascii: $0) }) ?? true
            else { return nil }
            return range.reduce(0 as Int?) { sum, index in
                let digit = bytes[index] &- UInt8(ascii: "0")
                return digit < 10 ? sum.map { $0 * 10 + Int(digit) } : nil
            }
        }
        guard let year = number(0..<4), let month = number(5..<7, after: "-"), (1...12).contains(month),
            let day = number(8..<10, after: "-"), (1...CivilTime.days(in: month, of: year)).contains(day)
        else { return false }
        guard bytes.count > 10 else { return true }
        guard let hour = number(11..<13), hour < 24, let minute = number(14..<16, after: ":"), minute < 60 else {
            return false
        }
        guard bytes.count > 16, bytes[16] == UInt8(ascii: ":") else { return true }
        guard let second = number(17..<19), second < 60 else { return false }
        guard let sign = bytes[19...].firstIndex(where: { "+-".utf8.contains($0) }) else { return true }
        return number(sign + 1..<sign + 3).map { $0 < 24 } ?? false
    }
}

extension Date.ISO8601FormatStyle {
    /// Unlike `parse`, does not accept a date that is only the start of the text.
    fileprivate func date(ofAll text: String) -> Date? {
        guard
            let found = try? consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex),
            found.upperBound == text.endIndex
        else { return nil }
        return found.output
    }
}

/// A time in UTC that is written and read without a formatter.
///
/// The day of the month is computed from the number of days since 1970-01-01 in eras of 400 years that begin in March
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
struct CivilTime {
    private static let dayMilliseconds: Int64 = 86_400_000
    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysBefore1970 = 719_468
    private static let eraDays = 146_097
    private let year: Int
    private let month: Int
    private let day: Int
    /// Milliseconds since midnight.
    private let time: Int

    /// - Parameter milliseconds: whole milliseconds since 1970.
    /// - Returns: nil outside the years 0 to 9999.
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
        guard (0...9999).contains(year) else { return nil }
    }

    static let length = 24

    /// Writes `length` bytes, such as `2026-11-22T08:49:10.205Z`.
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

    static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Reads an RFC 3339 time (§5.6) as milliseconds since 1970, rounded to the nearest millisecond.
    ///
    /// The letters may be in lower case, the fraction may have any number of digits, and the offset has a colon between
    /// hours and minutes. A leap second, at the end of a month in UTC, is read as the second after it: time since 1970
    /// has none.
    static func milliseconds(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
        var rest = text[...]
        func take(_ letters: StaticString) -> Bool {
            guard let first = rest.first, letters.hasByte(first) else { return false }
            rest.removeFirst()
            return true
        }
        func digit() -> Int? {
            guard let first = rest.first, first &- UInt8(ascii: "0") < 10 else { return nil }
            rest.removeFirst()
            return Int(first - UInt8(ascii: "0"))
        }
        func number(digits: Int) -> Int? {
            var number = 0
            for _ in 0..<digits {
                guard let next = digit() else { return nil }
                number = number * 10 + next
            }
            return number
        }
        guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
            let day = number(digits: 2), take("Tt"), let hour = number(digits: 2), take(":"),
            let minute = number(digits: 2), take(":"), let second = number(digits: 2),
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var fraction = 0
        if take(".") {
            guard let tenths = digit() else { return nil }
            let (hundredths, thousandths, next) = (digit() ?? 0, digit() ?? 0, digit() ?? 0)
            fraction = tenths * 100 + hundredths * 10 + thousandths + (next >= 5 ? 1 : 0)
            while digit() != nil {}
        }
        var offset = 0
        if !take("Zz") {
            let isAhead = rest.first == UInt8(ascii: "+")
            guard take("+-"), let hours = number(digits: 2), hours < 24, take(":"), let minutes = number(digits: 2),
                minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (isAhead ? 1 : -1)
        }
        guard rest.isEmpty else { return nil }
        let minutes = (daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
        if second == 60 {
            let next = CivilTime(milliseconds: Double(minutes + 1) * 60_000)
            guard let next, next.day == 1, next.time == 0 else { return nil }
        }
        return Int64(minutes * 60 + second) * 1_000 + Int64(fraction)
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Counted from March 400 years earlier, so that no number is negative.
        let yearFromMarch = year + 400 - (month <= 2 ? 1 : 0)
        let yearOfEra = yearFromMarch % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return (yearFromMarch / 400 - 1) * eraDays + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - daysBefore1970
    }
}

extension StaticString {
    fileprivate func hasByte(_ byte: UInt8) -> Bool {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).contains(byte)
    }
}
