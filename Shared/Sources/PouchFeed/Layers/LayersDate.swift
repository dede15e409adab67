import Foundation

/// A point in time of a LAYERS feed: ISO 8601 with or without fractions of a second, a day (its beginning), or the
/// seconds since 1970. What names no offset from UTC is in the merchant's time zone.
struct LayersDate: Decodable, Sendable {
    /// Under which a decoder holds the merchant's `TimeZone`.
    static let timeZone = CodingUserInfoKey(rawValue: "timeZone")

    /// The years 1 to 9999, in seconds since 1970.
    private static let years = -62_135_596_800.0...253_402_300_799.0

    let date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            let seconds = try container.decode(Double.self)
            guard Self.years.contains(seconds) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(seconds) is no date")
            }
            date = Date(timeIntervalSince1970: seconds)
        } catch DecodingError.typeMismatch {
            let text = try container.decode(String.self)
            let timeZone = Self.timeZone.flatMap { decoder.userInfo[$0] as? TimeZone } ?? .gmt
            guard let date = Self.styles(in: timeZone).lazy.compactMap({ $0.date(ofAll: text) }).first else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not a date")
            }
            self.date = date
        }
    }

    private static func styles(in timeZone: TimeZone) -> [Date.ISO8601FormatStyle] {
        let day = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        return [
            .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            day, day.time(includingFractionalSeconds: false), day.time(includingFractionalSeconds: true),
        ]
    }
}

extension Date.ISO8601FormatStyle {
    /// Parsing alone is content with the beginning of the text.
    fileprivate func date(ofAll text: String) -> Date? {
        guard
            let found = try? consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex),
            found.upperBound == text.endIndex
        else { return nil }
        return found.output
    }
}
