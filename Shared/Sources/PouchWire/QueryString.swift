import PouchJSON

/// A query string: names and values in order.
public struct QueryString: Hashable, Sendable {
    public struct Item: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var items: [Item]

    public init(_ items: [Item] = []) {
        self.items = items
    }

    /// Parses the text after the question mark; `+` is a space, as HTML forms send it.
    ///
    /// - Returns: nil when a percent escape is broken, is not UTF-8, or is NUL, which no parameter may contain, and when
    ///   there are too many combining marks in a row.
    public init?(parsing text: some StringProtocol) {
        var items: [Item] = []
        // A form is such a text too, with some hundred bytes; as characters it would take ten times as long.
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = Self.decode(pair[..<end]), let value = Self.decode(pair[end...].dropFirst())
            else { return nil }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// Appends the item, unless the value is nil.
    public mutating func append(_ name: String, _ value: String?) {
        guard let value else { return }
        items.append(Item(name: name, value: value))
    }

    /// The text after the question mark, with all characters percent-encoded except RFC 3986 "unreserved" ones; empty
    /// without items.
    public var encoded: String {
        items.map { PathTemplate.encode($0.name) + "=" + PathTemplate.encode($0.value) }.joined(separator: "&")
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexDigitValue, let low = rest.popFirst()?.hexDigitValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self),
            !CombiningMarks(in: decoded).areTooMany
        else { return nil }
        return decoded
    }
}

extension UInt8 {
    fileprivate var hexDigitValue: UInt8? {
        Character(UnicodeScalar(self)).hexDigitValue.map(UInt8.init)
    }
}
