/// The reason why bytes are not the JSON of a type.
public enum JSONError: Error, Equatable, Sendable {
    /// The text is not JSON, not UTF-8, or empty.
    case malformed
    /// The text is nested deeper than `JSONRules.depth`.
    case tooDeep
    /// The text is JSON, but does not match the type: one wrong field, or all unknown ones up to a limit.
    case fields([Field])

    /// A field that does not match its type.
    public struct Field: Equatable, Sendable {
        /// The keys and positions that lead to the field, such as `lines.0.sku`; empty for the whole text.
        public fileprivate(set) var path: String
        public let fault: Fault

        public init(path: String, fault: Fault) {
            self.path = path
            self.fault = fault
        }
    }

    public enum Fault: Equatable, Sendable {
        case missing
        case null
        /// - Parameter expected: a description of the expected JSON, such as `a whole number`.
        case wrongType(expected: String)
        /// A value of the right type that is not valid for the field.
        case invalid
        /// A key that occurs twice in its object.
        case duplicate
        /// A field that the type does not have.
        case unknown
        /// A text with more consecutive combining marks than `CombiningMarks.most`.
        case tooManyMarks
    }

    /// The error of the value being read. Surrounding objects and lists add their keys and positions.
    public static func here(_ fault: Fault) -> JSONError { .fields([Field(path: "", fault: fault)]) }

    /// The same error, with the key of a surrounding object or list added to its path.
    @usableFromInline func within(_ key: String) -> JSONError {
        guard case .fields(var fields) = self else { return self }
        for index in fields.indices { fields[index].prepend(key) }
        return .fields(fields)
    }
}

extension JSONError.Field {
    mutating func prepend(_ key: String) { path = path.isEmpty ? key : key + "." + path }
}

/// Counts consecutive combining marks within a text.
///
/// Swift compares and hashes texts in a normal form, for which it sorts the marks between two letters in a time that is
/// quadratic in their number: one text of 240 kB took 7 s. So texts from outside are counted before anything else is
/// done with them.
public struct CombiningMarks {
    /// The maximum accepted number in a row, as in the Stream-Safe Text Format (UAX #15, section 13).
    public static let most = 30

    /// Whether there were more than `most` in a row.
    public private(set) var areTooMany = false
    private var count = 0

    public init(in text: String) {
        // All marks have at least two bytes, the first of which is 0xCC or above.
        guard text.utf8.contains(where: { $0 >= 0xCC }) else { return }
        for scalar in text.unicodeScalars { read(scalar) }
    }

    private mutating func read(_ scalar: Unicode.Scalar) {
        guard scalar.value >= 0x300, scalar.properties.canonicalCombiningClass != .notReordered else {
            count = 0
            return
        }
        count += 1
        if count > Self.most { areTooMany = true }
    }
}
