import Foundation
import PouchEntities
import PouchJSON
import PouchWire

/// The error in a query parameter.
public struct QueryProblem: Error, Equatable {
    public let name: String
    /// One sentence for the user.
    public let detail: String
}

/// The query of a request, with each parameter described once: the same lines read it, write it, and list it in OpenAPI.
///
///     public struct SeasonQuery: PagedQuery {
///         /// nil for all seasons.
///         public var season: String?
///         public var page = PageQuery()
///
///         public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
///             try coder.text("season", &season)
///             try page.code(&coder)
///         }
///     }
public protocol QueryType: Sendable, Hashable {
    init()

    /// Reads or writes all parameters. A nil value is neither expected nor written.
    mutating func code(_ coder: inout QueryCoder) throws(QueryProblem)
}

extension QueryType {
    /// A query with the values that a closure sets.
    public init(_ set: (inout Self) -> Void) {
        self.init()
        set(&self)
    }

    /// - Parameter currency: the shop's currency. Prices in another one are refused; prices without a currency are in
    ///   it.
    /// - Throws: `QueryProblem` for a parameter that is unknown, repeated, or has an invalid value.
    public init(_ query: QueryString, currency: Currency? = nil) throws(QueryProblem) {
        self.init()
        var coder = QueryCoder(query, currency: currency)
        try code(&coder)
        try coder.finish()
    }

    /// The parameters of this query, in the order of its description.
    public var queryString: QueryString {
        var (copy, coder) = (self, QueryCoder(.writing))
        // Only reading refuses anything.
        try? copy.code(&coder)
        return coder.written
    }

    /// The parameters that a request can have.
    package static var parameters: [QueryParameter] {
        var (query, coder) = (Self(), QueryCoder(.listing))
        try? query.code(&coder)
        return coder.parameters
    }
}

/// Reads the parameters of a query one by one and refuses the remaining ones, or writes them, or lists them with their
/// schemas.
public struct QueryCoder {
    enum Mode {
        case reading, writing, listing
    }

    private let mode: Mode
    private var items: [String: [String]] = [:]
    private let shopCurrency: Currency?
    private(set) var written = QueryString()
    private(set) var parameters: [QueryParameter] = []

    /// Whether the coder reads. Rules about several parameters then apply.
    public var isReading: Bool { mode == .reading }

    init(_ query: QueryString, currency: Currency? = nil) {
        mode = .reading
        shopCurrency = currency
        items = Dictionary(grouping: query.items, by: \.name).mapValues { $0.map(\.value) }
    }

    init(_ mode: Mode) {
        self.mode = mode
        shopCurrency = nil
    }

    // MARK: One value

    public mutating func text(_ name: String, _ value: inout String?) throws(QueryProblem) {
        try code(name, &value, ["type": "string"], text: \.self) { $0 }
    }

    /// - Throws: `QueryProblem` if the text is blank or has more characters than `length`.
    public mutating func text(_ name: String, _ value: inout String?, length: Int) throws(QueryProblem) {
        try code(
            name, &value, JSON.object(["type": "string"]).merging(FieldFact.length(1...length).keywords), text: \.self
        ) { text throws(QueryProblem) in
            guard text.unicodeScalars.count <= length, !text.allSatisfy(\.isWhitespace) else {
                throw QueryProblem(name: name, detail: "\(name) must have 1 to \(length) characters.")
            }
            return text
        }
    }

    /// Codes an RFC 3339 time.
    public mutating func time(_ name: String, _ value: inout Date?) throws(QueryProblem) {
        try code(name, &value, ["type": "string", "format": "date-time"], text: { WireTime.text($0) }) {
            text throws(QueryProblem) in
            guard let date = WireTime.date(text), ModelLimits.times.contains(date) else {
                throw QueryProblem(
                    name: name, detail: "\(name) must be an RFC 3339 time, such as 2027-01-31T09:30:00Z.")
            }
            return date
        }
    }

    public mutating func integer<Value: FixedWidthInteger>(
        _ name: String, _ value: inout Value?, in range: ClosedRange<Value>
    ) throws(QueryProblem) {
        let type: JSON = ["type": "integer", "format": "int64"]
        try code(name, &value, type.merging(FieldFact.range(range).keywords), text: { String($0) }) {
            text throws(QueryProblem) in
            guard let number = Value(text), range.contains(number) else {
                let bounds =
                    range.upperBound == Value.max
                    ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
                throw QueryProblem(name: name, detail: "\(name) must be a whole number \(bounds).")
            }
            return number
        }
    }

    public mutating func number(
        _ name: String, _ value: inout Double?, in range: ClosedRange<Double>
    ) throws(QueryProblem) {
        try code(
            name, &value, JSON.object(["type": "number"]).merging(FieldFact.range(range).keywords), text: { String($0) }
        ) { text throws(QueryProblem) in
            guard let number = Double(text), range.contains(number) else {
                throw QueryProblem(
                    name: name, detail: "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
    }

    public mutating func flag(_ name: String, _ value: inout Bool?) throws(QueryProblem) {
        try code(name, &value, ["type": "boolean"], text: { String($0) }) { text throws(QueryProblem) in
            guard let flag = Bool(text) else {
                throw QueryProblem(name: name, detail: "\(name) must be true or false.")
            }
            return flag
        }
    }

    /// A flag that is false without the parameter.
    public mutating func flag(_ name: String, _ value: inout Bool) throws(QueryProblem) {
        var flag: Bool? = value ? true : nil
        try self.flag(name, &flag)
        value = flag ?? false
    }

    public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ value: inout Word?
    ) throws(QueryProblem) {
        try word(name, &value, of: Array(Word.allCases))
    }

    /// Codes a word. Does not accept `unrecognised`, which represents words of later versions.
    public mutating func word<Word: OpenEnum>(_ name: String, _ value: inout Word?) throws(QueryProblem) {
        try word(name, &value, of: Word.allCases.filter { $0 != .unrecognised })
    }

    /// Codes a required word.
    ///
    /// - Parameter advice: the advice for a query without the word.
    public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String, required value: inout Word, _ advice: String
    ) throws(QueryProblem) {
        var word: Word? = value
        try self.word(name, &word)
        if let last = parameters.popLast() {
            parameters.append(QueryParameter(name: last.name, schema: last.schema, isRequired: true))
        }
        guard isReading else { return }
        guard let word else { throw QueryProblem(name: name, detail: advice) }
        value = word
    }

    private mutating func word<Word: RawRepresentable<String>>(
        _ name: String, _ value: inout Word?, of words: [Word]
    ) throws(QueryProblem) {
        try code(
            name, &value, ["type": "string", "enum": .array(words.map { .string($0.rawValue) })], text: \.rawValue
        ) { text throws(QueryProblem) in
            guard let word = words.first(where: { $0.rawValue == text }) else {
                let names = words.map(\.rawValue).joined(separator: ", ")
                throw QueryProblem(name: name, detail: "\(name) must be one of \(names).")
            }
            return word
        }
    }

    /// - Parameter schema: the schema of the value that is parsed.
    private mutating func code<Value>(
        _ name: String, _ value: inout Value?, _ schema: @autoclosure () -> JSON, text: (Value) -> String,
        parse: (String) throws(QueryProblem) -> Value
    ) throws(QueryProblem) {
        switch mode {
        case .listing: return parameters.append(QueryParameter(name: name, schema: schema()))
        case .writing: return written.append(name, value.map(text))
        case .reading: break
        }
        let values = items.removeValue(forKey: name) ?? []
        guard values.count <= 1 else { throw QueryProblem(name: name, detail: "\(name) can be sent only once.") }
        value = nil
        if let text = values.first { value = try parse(text) }
    }

    // MARK: Several values

    /// Codes all values of a parameter that may be repeated.
    ///
    /// - Throws: `QueryProblem` if the number of values is not within `count`.
    public mutating func list(_ name: String, _ values: inout [String], count: ClosedRange<Int>) throws(QueryProblem) {
        switch mode {
        case .listing:
            let schema = JSON.object(["type": "array", "items": ["type": "string"]])
                .merging(FieldFact.count(count).keywords)
            return parameters.append(QueryParameter(name: name, schema: schema, isRequired: count.lowerBound > 0))
        case .writing:
            for value in values { written.append(name, value) }
            return
        case .reading: break
        }
        values = items.removeValue(forKey: name) ?? []
        guard count.contains(values.count) else {
            throw QueryProblem(
                name: name, detail: "\(name) must be sent \(count.lowerBound) to \(count.upperBound) times.")
        }
    }

    /// Codes the values of all parameters whose names start with the prefix, by the rest of the name.
    public mutating func repeated(prefix: String, _ values: inout [String: [String]]) {
        switch mode {
        case .listing:
            let schema: JSON = [
                "type": "object",
                "propertyNames": ["pattern": .string("^" + prefix.replacing(".", with: "\\.") + ".")],
                "additionalProperties": ["type": "string"],
            ]
            return parameters.append(QueryParameter(name: prefix + "*", schema: schema))
        case .writing:
            for (name, values) in values.sorted(by: { $0.key < $1.key }) {
                for value in values { written.append(prefix + name, value) }
            }
            return
        case .reading: break
        }
        values = [:]
        for name in items.keys where name.hasPrefix(prefix) && name.count > prefix.count {
            values[String(name.dropFirst(prefix.count))] = items.removeValue(forKey: name)
        }
    }

    /// Codes two times, the second of which must be later if both are given.
    public mutating func period(
        _ first: String, _ from: inout Date?, _ second: String, _ until: inout Date?
    ) throws(QueryProblem) {
        try time(first, &from)
        try time(second, &until)
        if isReading, let from, let until, until <= from {
            throw QueryProblem(name: second, detail: "\(second) must be after \(first).")
        }
    }

    /// Codes two prices in minor units, with a parameter `currency` for both.
    public mutating func prices(
        _ first: String, _ lowest: inout Money?, _ second: String, _ highest: inout Money?
    ) throws(QueryProblem) {
        var (one, other) = (lowest?.amount, highest?.amount)
        try integer(first, &one, in: 0...Int64.max)
        try integer(second, &other, in: 0...Int64.max)
        let codes = Set([lowest, highest].compactMap(\.?.currency.code)).sorted()
        var code = codes.first
        try self.code("currency", &code, ["type": "string", "pattern": "^[A-Z]{3}$"], text: \.self) { $0 }
        guard isReading else {
            // Two different currencies are both written; readers refuse a repeated parameter.
            for code in codes.dropFirst() { written.append("currency", code) }
            return
        }
        guard let currency = code.map(Currency.init(code:)) ?? shopCurrency else {
            guard code != nil || (one, other) != (nil, nil) else {
                (lowest, highest) = (nil, nil)
                return
            }
            throw QueryProblem(name: "currency", detail: "currency must be an ISO 4217 code, such as EUR.")
        }
        if let shopCurrency, currency != shopCurrency {
            throw QueryProblem(name: "currency", detail: "The shop's currency is \(shopCurrency.code).")
        }
        (lowest, highest) = (one.map { Money($0, currency) }, other.map { Money($0, currency) })
    }

    /// Codes a point. A query has both coordinates or neither.
    public mutating func point(_ point: inout GeoPoint?) throws(QueryProblem) {
        var (latitude, longitude) = (point?.latitude, point?.longitude)
        try number("latitude", &latitude, in: -90...90)
        try number("longitude", &longitude, in: -180...180)
        guard isReading else { return }
        point = nil
        if let latitude, let longitude {
            point = GeoPoint(latitude: latitude, longitude: longitude)
        } else if latitude != nil || longitude != nil {
            throw QueryProblem(
                name: latitude == nil ? "latitude" : "longitude", detail: "Send latitude and longitude together.")
        }
    }

    /// - Throws: `QueryProblem` if a parameter was not read.
    func finish() throws(QueryProblem) {
        if let name = items.keys.min().map({ String(String.UnicodeScalarView($0.unicodeScalars.prefix(80))) }) {
            throw QueryProblem(name: name, detail: "\(name) is not a parameter of this request.")
        }
    }
}

/// A parameter that the query of a request can have.
package struct QueryParameter {
    /// The name. A name that ends in `*` matches all names with that prefix.
    package let name: String
    package let schema: JSON
    package fileprivate(set) var isRequired = false
}

// MARK: - Common queries

/// The query of a list that is read page by page.
public protocol PagedQuery: QueryType {
    var page: PageQuery { get set }
}

/// The parameters of every list, and the whole query of a list without other parameters.
public struct PageQuery: PagedQuery {
    /// The page size within `Limits.pageSize`; nil for `Limits.defaultPageSize`.
    public var limit: Int?
    public var cursor: String?

    public init() {}

    public init(limit: Int?, cursor: String?) {
        self.limit = limit
        self.cursor = cursor
    }

    public var page: PageQuery {
        get { self }
        set { self = newValue }
    }

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.integer("limit", &limit, in: Limits.pageSize)
        try coder.text("cursor", &cursor)
    }
}

/// The query of a request that refuses any parameter.
public struct NoQuery: QueryType {
    public init() {}

    public func code(_ coder: inout QueryCoder) {}
}
