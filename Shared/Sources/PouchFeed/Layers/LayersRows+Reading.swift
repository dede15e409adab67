import Foundation
import PouchEntities
import PouchJSON

extension JSONArrayElements.Element {
    /// Reads the element as a row, so that a bad element affects only itself.
    func row<Row: JSONCodable>() throws(FeedRowError) -> Row {
        guard let bytes else {
            throw FeedRowError(line: line, code: .tooLong, detail: "the object is longer than 1 MiB")
        }
        do throws(JSONError) {
            return try Row(json: Data(bytes))
        } catch {
            throw FeedRowError(error, line: line)
        }
    }
}

extension FeedRowError {
    fileprivate init(_ error: JSONError, line: Int) {
        guard case .fields(let fields) = error, let field = fields.first else {
            self.init(line: line, code: .malformed, detail: "this is not valid JSON")
            return
        }
        let (code, detail): (Code, String) =
            switch field.fault {
            case .missing: (.required, "the key is missing")
            case .null: (.required, "the value is null")
            case .wrongType(let expected): (.invalid, "the value must be \(expected)")
            case .duplicate: (.invalid, "the key occurs more than once")
            case .invalid, .unknown, .tooManyMarks: (.invalid, "the value cannot be read")
            }
        self.init(line: line, field: field.path.isEmpty ? nil : field.path, code: code, detail: detail)
    }

    /// A copy whose detail names the file.
    func `in`(_ file: LayersFile) -> FeedRowError {
        FeedRowError(line: line, field: field, code: code, detail: "\(file.rawValue): \(detail)", severity: severity)
    }
}

/// A decimal number in a JSON file, written as a number or a string; kept as digits, never as floating point.
struct DecimalText: JSONCodable {
    let text: String

    init(reading json: inout JSONReader) throws(JSONError) {
        if let digits = try json.numberText() {
            guard let number = Decimal(string: digits) else { throw .here(.invalid) }
            text = number.description
        } else {
            text = try json.text().singleLine
        }
    }

    func write(to json: inout JSONWriter) { json.text(text) }
    static var jsonShape: JSONShape { .any }
}

/// A time in a LAYERS feed: ISO 8601 with or without fractions of a second, a day (its start), or the seconds since
/// 1970. Without an offset from UTC, it is in the merchant's time zone.
enum LayersDate: JSONCodable {
    case seconds(Double)
    case text(String)

    /// The years 1 to 9999, in seconds since 1970.
    private static let years = -62_135_596_800.0...253_402_300_799.0

    init(reading json: inout JSONReader) throws(JSONError) {
        if let digits = try json.numberText() {
            guard let seconds = Double(digits), Self.years.contains(seconds) else { throw .here(.invalid) }
            self = .seconds(seconds)
        } else {
            self = .text(try json.text())
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .seconds(let seconds): json.number(seconds)
        case .text(let text): json.text(text)
        }
    }

    static var jsonShape: JSONShape { .any }

    /// - Parameter timeZone: the merchant's time zone.
    /// - Returns: nil for a text that is not a date.
    func date(in timeZone: TimeZone) -> Date? {
        switch self {
        case .seconds(let seconds): Date(timeIntervalSince1970: seconds)
        case .text(let text): WireTime.date(text, Self.forms(in: timeZone))
        }
    }

    private static func forms(in timeZone: TimeZone) -> [Date.ISO8601FormatStyle] {
        let day = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        return [
            .iso8601, Date.ISO8601FormatStyle(includingFractionalSeconds: true),
            day, day.time(includingFractionalSeconds: false), day.time(includingFractionalSeconds: true),
        ]
    }
}
