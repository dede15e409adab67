import Foundation

/// A value that can be written as JSON and read from it.
///
/// A type whose JSON is an object conforms to `JSONModel`, which needs one description of its fields. The bytes are the
/// same in every process: keys are sorted, slashes are not escaped, and fields without a value are omitted, so that
/// strong ETags can be digests of them.
///
///     let order = try Order(json: answer)
///     let body = try order.json()
public protocol JSONCodable: Sendable {
    /// Reads the value at the reader's position.
    init(reading json: inout JSONReader) throws(JSONError)
    func write(to json: inout JSONWriter)

    /// The shape of the JSON, from which schemas are generated.
    static var jsonShape: JSONShape { get }
    /// The value of a field whose key is absent; nil for a type whose fields must be present.
    static var absent: Self? { get }
    /// Whether a field with this value is omitted.
    var isAbsent: Bool { get }
}

extension JSONCodable {
    @inlinable public static var absent: Self? { nil }
    @inlinable public var isAbsent: Bool { false }

    /// - Throws: `JSONWriter.NotFinite` for a number that JSON cannot represent.
    @inlinable
    public func json(_ rules: JSONRules = .answer) throws(JSONWriter.NotFinite) -> Data {
        var writer = JSONWriter(rules)
        write(to: &writer)
        return try writer.finish()
    }

    /// Reads the value from the bytes of a whole JSON text.
    @inlinable
    public init(json bytes: Data, _ rules: JSONRules = .answer) throws(JSONError) {
        self = try bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try JSONReader.read(Self.self, from: bytes, rules) }
        }.get()
    }

    /// Reads the value from a whole JSON text.
    @inlinable
    public init(json text: String, _ rules: JSONRules = .answer) throws(JSONError) {
        var text = text
        self = try text.withUTF8 { bytes in
            Result { () throws(JSONError) in
                try JSONReader.read(Self.self, from: UnsafeRawBufferPointer(bytes), rules)
            }
        }.get()
    }
}

/// The strictness of reading JSON, and the format of times.
public struct JSONRules: Sendable {
    /// The format of a `Date`.
    public enum Times: Sendable {
        /// RFC 3339 in UTC with milliseconds.
        case text
        /// Seconds since 2001, as `JSONEncoder` writes them by default. Both formats are read.
        case seconds
    }

    /// The maximum nesting of objects and lists.
    public var depth: Int
    /// Whether a field that the type does not describe is an error, and likewise a text with too many combining marks.
    ///
    /// Swift compares and hashes texts in a time that is quadratic in the number of marks between two letters.
    public var isStrict: Bool
    public var times: Times

    public init(depth: Int, isStrict: Bool = false, times: Times = .text) {
        self.depth = depth
        self.isStrict = isStrict
        self.times = times
    }

    /// The rules for answers: fields of later versions are ignored.
    public static let answer = JSONRules(depth: 512)
    /// The rules for database texts, in which earlier versions wrote times as numbers.
    public static let stored = JSONRules(depth: answer.depth, times: .seconds)
    /// The rules for requests: every field must be known.
    public static let request = JSONRules(depth: 32, isStrict: true)
}

/// The shape of a type's JSON.
public indirect enum JSONShape: Sendable {
    /// A field of an object.
    public struct Field: Sendable {
        public let name: String
        public let isRequired: Bool
        /// Whether null is accepted, with its own meaning or like an absent key.
        public let acceptsNull: Bool
        public let shape: JSONShape
    }

    case text, time, bool, number
    case integer(bits: Int)
    case list(JSONShape)
    /// An object whose keys are data.
    case map(JSONShape)
    /// One of the words of an enumeration.
    case word(any Any.Type, words: [String])
    /// An object of the type, with the fields in the order of their names.
    case object(any Any.Type, fields: [Field])
    /// The shape, or null.
    case nullable(JSONShape)
    /// Any JSON.
    case any
}
