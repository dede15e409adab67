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

/// Takes the parameters of a query one by one; what is left over at the end is refused.
public struct QueryReader {
    private var items: [String: [String]]

    public init(_ query: QueryString) {
        items = Dictionary(grouping: query.items, by: \.name).mapValues { $0.map(\.value) }
    }

    public mutating func text(_ name: String) throws(QueryProblem) -> String? {
        let values = items.removeValue(forKey: name) ?? []
        guard values.count <= 1 else { throw QueryProblem(name: name, detail: "\(name) may stand only once.") }
        return values.first
    }

    /// All values of a parameter that may be repeated.
    public mutating func list(_ name: String) -> [String] {
        items.removeValue(forKey: name) ?? []
    }

    /// All parameters whose name begins with the prefix, by the rest of their name.
    public mutating func repeated(prefix: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for name in items.keys where name.hasPrefix(prefix) && name.count > prefix.count {
            found[String(name.dropFirst(prefix.count))] = items.removeValue(forKey: name)
        }
        return found
    }

    public mutating func integer<Value: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Value>
    ) throws(QueryProblem) -> Value? {
        guard let value = try text(name) else { return nil }
        guard let number = Value(value), range.contains(number) else {
            let bounds =
                range.upperBound == Value.max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw QueryProblem(name: name, detail: "\(name) must be a whole number \(bounds).")
        }
        return number
    }

    public mutating func number(_ name: String, in range: ClosedRange<Double>) throws(QueryProblem) -> Double? {
        guard let value = try text(name) else { return nil }
        guard let number = Double(value), range.contains(number) else {
            throw QueryProblem(
                name: name, detail: "\(name) must be a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    public mutating func flag(_ name: String) throws(QueryProblem) -> Bool? {
        guard let value = try text(name) else { return nil }
        guard let flag = Bool(value) else { throw QueryProblem(name: name, detail: "\(name) must be true or false.") }
        return flag
    }

    public mutating func word<Word: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(QueryProblem) -> Word? where Word.RawValue == String {
        try word(name, of: Array(Word.allCases))
    }

    /// The stand-in for words of later versions is none of the words.
    public mutating func word<Word: OpenEnum & CaseIterable>(
        _ name: String, _ type: Word.Type
    ) throws(QueryProblem) -> Word? {
        try word(name, of: Word.allCases.filter { $0 != .unrecognised })
    }

    private mutating func word<Word: RawRepresentable>(
        _ name: String, of words: [Word]
    ) throws(QueryProblem) -> Word? where Word.RawValue == String {
        guard let value = try text(name) else { return nil }
        guard let word = words.first(where: { $0.rawValue == value }) else {
            let names = words.map(\.rawValue).joined(separator: ", ")
            throw QueryProblem(name: name, detail: "\(name) must be one of \(names).")
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
