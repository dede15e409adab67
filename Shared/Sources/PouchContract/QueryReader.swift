import PouchEntities
import PouchWire

/// A query parameter that cannot be taken as it stands.
public struct QueryProblem: Error, Equatable {
    public let name: String
    /// One sentence for people.
    public let detail: String

    public init(name: String, detail: String) {
        self.name = name
        self.detail = detail
    }
}

/// What the query of a request says. The parameters that a request may have are those that `init` asks the reader for.
public protocol QueryDecodable: Sendable {
    init(from reader: inout QueryReader) throws(QueryProblem)
}

extension QueryDecodable {
    /// - Throws: `QueryProblem` for a parameter that is not known, stands twice, or whose value cannot be read.
    public init(_ query: QueryString) throws(QueryProblem) {
        var reader = QueryReader(query)
        try self.init(from: &reader)
        try reader.finish()
    }
}

/// Takes the parameters of a query one by one; what is left over at the end is refused.
public struct QueryReader {
    private var items: [String: [String]]
    /// What was asked for, in that order.
    private(set) var parameters: [QueryParameter] = []

    public init(_ query: QueryString) {
        items = Dictionary(grouping: query.items, by: \.name).mapValues { $0.map(\.value) }
    }

    public mutating func text(_ name: String) throws(QueryProblem) -> String? {
        try single(name, ["type": "string"])
    }

    /// - Parameter schema: what the caller makes of the text.
    private mutating func single(_ name: String, _ schema: JSON) throws(QueryProblem) -> String? {
        parameters.append(QueryParameter(name: name, schema: schema))
        let values = items.removeValue(forKey: name) ?? []
        guard values.count <= 1 else { throw QueryProblem(name: name, detail: "\(name) may stand only once.") }
        return values.first
    }

    /// All values of a parameter that may be repeated, of which there must be so many.
    public mutating func list(_ name: String, count: ClosedRange<Int>) throws(QueryProblem) -> [String] {
        let fact = FieldFact.count(count)
        parameters.append(
            QueryParameter(
                name: name, schema: JSON.object(["type": "array", "items": ["type": "string"]]).merging(fact.keywords),
                isRequired: count.lowerBound > 0))
        let values = items.removeValue(forKey: name) ?? []
        guard count.contains(values.count) else {
            throw QueryProblem(
                name: name, detail: "\(name) must stand from \(count.lowerBound) to \(count.upperBound) times.")
        }
        return values
    }

    /// All parameters whose name begins with the prefix, by the rest of their name.
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

    public mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(QueryProblem) -> Word? where Word.RawValue == String {
        try word(name, of: Array(Word.allCases))
    }

    /// The stand-in for words of later versions is none of the words.
    public mutating func word<Word: OpenEnum>(_ name: String, _ type: Word.Type) throws(QueryProblem) -> Word? {
        try word(name, of: Word.allCases.filter { $0 != .unrecognised })
    }

    private mutating func word<Word: RawRepresentable>(
        _ name: String, of words: [Word]
    ) throws(QueryProblem) -> Word? where Word.RawValue == String {
        let names = words.map(\.rawValue)
        guard let value = try single(name, ["type": "string", "enum": .array(names.map(JSON.string))]) else {
            return nil
        }
        guard let word = words.first(where: { $0.rawValue == value }) else {
            throw QueryProblem(name: name, detail: "\(name) must be one of \(names.joined(separator: ", ")).")
        }
        return word
    }

    /// The two parameters that every list has.
    public mutating func page() throws(QueryProblem) -> (limit: Int?, cursor: String?) {
        (try integer("limit", in: Limits.pageSize), try text("cursor"))
    }

    /// - Throws: `QueryProblem` when a parameter was not taken.
    public func finish() throws(QueryProblem) {
        if let name = items.keys.min().map({ String(String.UnicodeScalarView($0.unicodeScalars.prefix(80))) }) {
            throw QueryProblem(name: name, detail: "\(name) is not a parameter of this request.")
        }
    }
}
