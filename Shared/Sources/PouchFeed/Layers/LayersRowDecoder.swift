import Foundation

/// Decodes the elements of a LAYERS file one by one, so that a bad element affects only its own row.
public struct LayersRowDecoder: Sendable {
    private let decoder = JSONDecoder()

    /// - Parameter timeZone: the time zone of dates without an offset.
    public init(timeZone: TimeZone) {
        if let key = LayersDate.timeZone { decoder.userInfo[key] = timeZone }
    }

    public func row(_ element: JSONArrayElements.Element, of file: LayersFile) throws(FeedRowError) -> LayersRow {
        do throws(FeedRowError) {
            let content: LayersRow.Content =
                switch file {
                case .seasons: .season(try decode(LayersSeasonRow.self, from: element))
                case .products: .product(try decode(LayersProductRow.self, from: element))
                case .slides: .slide(try decode(LayersSlideRow.self, from: element))
                }
            return LayersRow(line: element.line, content: content)
        } catch {
            throw error.in(file)
        }
    }

    private func decode<Row: Decodable>(
        _ type: Row.Type, from element: JSONArrayElements.Element
    ) throws(FeedRowError) -> Row {
        let line = element.line
        guard let bytes = element.bytes else {
            throw FeedRowError(line: line, code: .tooLong, detail: "the object is longer than 1 MiB")
        }
        func failure(_ path: [any CodingKey], _ code: FeedRowError.Code, _ detail: String) -> FeedRowError {
            let keys = path.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return FeedRowError(
                line: line, field: keys.isEmpty ? nil : keys.joined(separator: "."), code: code, detail: detail)
        }
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch let DecodingError.keyNotFound(key, context) {
            throw failure(context.codingPath + [key], .required, "the key is missing")
        } catch let DecodingError.valueNotFound(_, context) {
            throw failure(context.codingPath, .required, "the value is null")
        } catch let DecodingError.typeMismatch(_, context) {
            throw failure(context.codingPath, .invalid, "the value has the wrong type")
        } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
            throw failure(context.codingPath, .invalid, "the value cannot be read")
        } catch {
            throw failure([], .malformed, "this is not a JSON object")
        }
    }
}

extension FeedRowError {
    /// A copy whose detail names the file.
    func `in`(_ file: LayersFile) -> FeedRowError {
        FeedRowError(line: line, field: field, code: code, detail: "\(file.rawValue): \(detail)")
    }
}

/// A decimal number of a JSON file, written as a number or as a string; kept as digits, never as floating point.
struct DecimalText: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self).singleLine
        } catch DecodingError.typeMismatch {
            text = try container.decode(Decimal.self).description
        }
    }
}

/// A time in a LAYERS feed: ISO 8601 with or without fractions of a second, a day (its start), or the seconds since
/// 1970. Without an offset from UTC it is in the merchant's time zone.
struct LayersDate: Decodable, Sendable {
    /// The key of the merchant's `TimeZone` in a decoder's `userInfo`.
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
    /// `parse` would accept a date that is only the start of the text.
    fileprivate func date(ofAll text: String) -> Date? {
        guard
            let found = try? consuming(text, startingAt: text.startIndex, in: text.startIndex..<text.endIndex),
            found.upperBound == text.endIndex
        else { return nil }
        return found.output
    }
}
