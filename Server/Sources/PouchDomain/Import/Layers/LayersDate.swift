import Foundation

/// A point in time of a LAYERS feed: ISO 8601 with or without fractions of a second, a day (its beginning in UTC), or
/// the seconds since 1970.
struct LayersDate: Decodable {
    let date: Date

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            date = Date(timeIntervalSince1970: try container.decode(Double.self))
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
