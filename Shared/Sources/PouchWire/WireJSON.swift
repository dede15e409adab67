import Foundation

/// JSON as both sides write and read it.
///
/// Keys are sorted, so that equal values have equal bytes in every process, which strong ETags rely on.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireTime.text(date))
        }
        return try encoder.encode(value)
    }

    /// Reads a response: unknown keys are ignored. For requests see `StrictJSON`.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decoder.decode(type, from: data)
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = WireTime.date(text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
            }
            return date
        }
        return decoder
    }
}

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
