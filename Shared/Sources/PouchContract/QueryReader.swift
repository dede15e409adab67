import Foundation
import PouchEntities
import PouchJSON
import PouchWire

/// The error in a query parameter.
public struct QueryProblem: Error, Equatable {
    public let name: String
    /// One sentence for people.
    public let detail: String
}

/// A type that reads the query of a request. The request's parameters are those that `init` asks the reader for.
///
///     public struct SeasonQuery: QueryDecodable {
///         public let season: String?
///         public let page: PageQuery
///
///         public init(from reader: inout QueryReader) throws(QueryProblem) {
///             season = try reader.text("season")
///             page = try PageQuery(from: &reader)
///         }
///     }
public protocol QueryDecodable: Sendable {
    init(from reader: inout QueryReader) throws(QueryProblem)
}

extension QueryDecodable {
    /// The parameters that the type asks a reader for.
    static var parameters: [QueryParameter] {
        var reader = QueryReader(QueryString())
        // Without a query this throws for a required parameter, but only after it was noted.
        _ = try? Self(from: &reader)
        return reader.parameters
    }

    /// - Parameter currency: the shop's. Prices in another are refused, and prices without one are in it.
    /// - Throws: `QueryProblem` for a parameter that is unknown, repeated, or has an invalid value.
    public init(_ query: QueryString, currency: Currency? = nil) throws(QueryProblem) {
        var reader = QueryReader(query, currency: currency)
        try self.init(from: &reader)
        try reader.finish()
    }
}

/// Reads the parameters of a query one by one and refuses those that are left over.
///
/// It also notes the name and the schema of each parameter, for OpenAPI.
public struct QueryReader {
    private var items: [String: [String]]
    private let shopCurrency: Currency?
    /// The parameters that were asked for, in that order.
    private(set) var parameters: [QueryParameter] = []

    init(_ query: QueryString, currency: Currency? = nil) {
        shopCurrency = currency
        items = Dictionary(grouping: query.items, by: \.name).mapValues { $0.map(\.value) }
    }

    public mutating func text(_ name: String) throws(QueryProblem) -> String? {
        try single(name, ["type": "string"])
    }

    /// - Throws: `QueryProblem` if the text is blank or has more characters than `length`.
    public mutating func text(_ name: String, length: Int) throws(QueryProblem) -> String? {
        let fact = FieldFact.length(1...length)
        guard let text = try single(name, JSON.object(["type": "string"]).merging(fact.keywords)) else { return nil }
        guard text.unicodeScalars.count <= length, !text.allSatisfy(\.isWhitespace) else {
            throw QueryProblem(name: name, detail: "\(name) must have 1 to \(length) characters.")
        }
        return text
    }

    /// A time of RFC 3339.
    public mutating func time(_ name: String) throws(QueryProblem) -> Date? {
        guard let text = try single(name, ["type": "string", "format": "date-time"]) else { return nil }
        guard let date = WireTime.date(text), Self.times.contains(date) else {
            throw QueryProblem(name: name, detail: "\(name) must be a time of RFC 3339, such as 2027-01-31T09:30:00Z.")
        }
        return date
    }

    /// Two times, the second of which is later if both are given.
    public mutating func period(_ first: String, _ second: String) throws(QueryProblem) -> (Date?, Date?) {
        let (from, until) = (try time(first), try time(second))
        if let from, let until, until <= from {
            throw QueryProblem(name: second, detail: "\(second) must be after \(first).")
        }
        return (from, until)
    }

    /// The years that both databases can represent.
    private static let times = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)

    /// - Parameter schema: the schema of the value that the caller parses.
    private mutating func single(_ name: String, _ schema: JSON) throws(QueryProblem) -> String? {
        parameters.append(QueryParameter(name: name, schema: schema))
        let values = items.removeValue(forKey: name) ?? []
        guard values.count <= 1 else { throw QueryProblem(name: name, detail: "\(name) may be given only once.") }
        return values.first
    }

    /// All values of a parameter that may be repeated.
    ///
    /// - Throws: `QueryProblem` if the number of values is not within `count`.
    public mutating func list(_ name: String, count: ClosedRange<Int>) throws(QueryProblem) -> [String] {
        let fact = FieldFact.count(count)
        parameters.append(
            QueryParameter(
                name: name, schema: JSON.object(["type": "array", "items": ["type": "string"]]).merging(fact.keywords),
                isRequired: count.lowerBound > 0))
        let values = items.removeValue(forKey: name) ?? []
        guard count.contains(values.count) else {
            throw QueryProblem(
                name: name, detail: "\(name) must be given \(count.lowerBound) to \(count.upperBound) times.")
        }
        return values
    }

    /// The values of all parameters whose names start with the prefix, by the rest of the name.
    public mutating func repeated(prefix: String) -> [String: [String]] {
        parameters.append(
            QueryParameter(
                name: prefix + "*",
                schema: [
                    "type": "object",
                    "propertyNames": ["pattern": .string("^" + prefix.replacing(".", with: "\\.") + ".")],
                    "additionalProperties": ["type": "string"],
                ]))
        var found: [String: [String]] = [:]
        for name in items.keys where name.hasPrefix(prefix) && name.count > prefix.count {
            found[String(name.dropFirst(prefix.count))] = items.removeValue(forKey: name)
        }
        return found
    }

    public mutating func integer<Value: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Value>
    ) throws(QueryProblem) -> Value? {
        let schema = JSON.object(["type": "integer", "format": "int64"]).merging(FieldFact.range(range).keywords)
        guard let value = try single(name, schema) else { return nil }
        guard let number = Value(value), range.contains(number) else {
            let bounds =
                range.upperBound == Value.max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw QueryProblem(name: name, detail: "\(name) must be a whole number \(bounds).")
        }
        return number
    }

    public mutating func number(_ name: String, in range: ClosedRange<Double>) throws(QueryProblem) -> Double? {
        let schema = JSON.object(["type": "number"]).merging(FieldFact.range(range).keywords)
        guard let value = try single(name, schema) else { return nil }
        guard let number = Double(value), range.contains(number) else {
            throw QueryProblem(
                name: name, detail: "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    public mutating func flag(_ name: String) throws(QueryProblem) -> Bool? {
        guard let value = try single(name, ["type": "boolean"]) else { return nil }
        guard let flag = Bool(value) else { throw QueryProblem(name: name, detail: "\(name) must be true or false.") }
        return flag
    }

    /// - Parameter isRequired: whether the caller refuses a query without it.
    public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Word.Type, isRequired: Bool = false
    ) throws(QueryProblem) -> Word? {
        let word = try word(name, of: Array(Word.allCases))
        parameters[parameters.count - 1].isRequired = isRequired
        return word
    }

    /// Does not accept `unrecognised`, which stands for the words of later versions.
    public mutating func word<Word: OpenEnum>(_ name: String, _ type: Word.Type) throws(QueryProblem) -> Word? {
        try word(name, of: Word.allCases.filter { $0 != .unrecognised })
    }

    private mutating func word<Word: RawRepresentable<String>>(
        _ name: String, of words: [Word]
    ) throws(QueryProblem) -> Word? {
        let names = words.map(\.rawValue)
        guard let value = try single(name, ["type": "string", "enum": .array(names.map(JSON.string))]) else {
            return nil
        }
        guard let word = words.first(where: { $0.rawValue == value }) else {
            throw QueryProblem(name: name, detail: "\(name) must be one of \(names.joined(separator: ", ")).")
        }
        return word
    }

    /// Two prices in minor units, with a parameter `currency` for both.
    public mutating func prices(_ first: String, _ second: String) throws(QueryProblem) -> (Money?, Money?) {
        let amounts = (try integer(first, in: 0...Int64.max), try integer(second, in: 0...Int64.max))
        let code = try single("currency", ["type": "string", "pattern": "^[A-Z]{3}$"])
        guard let currency = code.map(Currency.init(code:)) ?? shopCurrency else {
            guard code != nil || amounts != (nil, nil) else { return (nil, nil) }
            throw QueryProblem(name: "currency", detail: "currency must be a code of ISO 4217, such as EUR.")
        }
        if let shopCurrency, currency != shopCurrency {
            throw QueryProblem(name: "currency", detail: "The shop's currency is \(shopCurrency.code).")
        }
        return (amounts.0.map { Money($0, currency) }, amounts.1.map { Money($0, currency) })
    }

    /// A point, of which a query has both coordinates or neither.
    public mutating func point() throws(QueryProblem) -> GeoPoint? {
        let latitude = try number("latitude", in: -90...90)
        let longitude = try number("longitude", in: -180...180)
        if let latitude, let longitude { return GeoPoint(latitude: latitude, longitude: longitude) }
        guard latitude == nil, longitude == nil else {
            throw QueryProblem(
                name: latitude == nil ? "latitude" : "longitude", detail: "latitude and longitude belong together.")
        }
        return nil
    }

    /// - Throws: `QueryProblem` if a parameter was not read.
    func finish() throws(QueryProblem) {
        if let name = items.keys.min().map({ String(String.UnicodeScalarView($0.unicodeScalars.prefix(80))) }) {
            throw QueryProblem(name: name, detail: "\(name) is not a parameter of this request.")
        }
    }
}

/// A parameter that the query of a request may have.
struct QueryParameter {
    /// A name that ends in `*` stands for all names with that prefix.
    let name: String
    let schema: JSON
    var isRequired = false
}

// MARK: - Common queries

/// The parameters of every list, and the whole query of a list without parameters of its own.
public struct PageQuery: QueryDecodable {
    /// Within `Limits.pageSize`; nil: `Limits.defaultPageSize`.
    public let limit: Int?
    public let cursor: String?

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        limit = try reader.integer("limit", in: Limits.pageSize)
        cursor = try reader.text("cursor")
    }
}

/// The query of a request without parameters.
public struct NoQuery: QueryDecodable {
    public init(from reader: inout QueryReader) {}
}
