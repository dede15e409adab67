import Foundation

/// A point in time of a LAYERS feed: ISO 8601 with or without fractions of a second, a day (its beginning in UTC), or
/// the seconds since 1970.
struct LayersDate: Decodable {
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
            let styles: [Date.ISO8601FormatStyle] = [
                .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601.year().month().day(),
            ]
            guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not a date")
            }
            self.date = date
        }
    }
}
