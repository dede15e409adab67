import Foundation

extension HeaderFields {
    /// The three forms of RFC 9110, section 5.6.7: the one in use, and the two obsolete ones that must be understood.
    private static let dateFormats = [
        "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
    ]
    private static let longest = 1_000_000_000

    /// How long the server asks to wait, in seconds or until a date; nil where it says nothing that can be read. Zero for
    /// a date that has passed.
    public func retryAfter(now: Date) -> Duration? {
        guard let text = self["Retry-After"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            return .seconds(min(Int(text) ?? Self.longest, Self.longest))
        }
        guard let date = Self.date(text) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), Double(Self.longest)))
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in dateFormats {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
