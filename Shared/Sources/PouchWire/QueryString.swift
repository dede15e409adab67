import Foundation
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
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(halves[0]), let value = Self.decode(halves.count > 1 ? halves[1] : "")
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

    private static func decode(_ text: some StringProtocol) -> String? {
        let decoded = String(text).replacingOccurrences(of: "+", with: " ").removingPercentEncoding
        guard let decoded, !decoded.utf8.contains(0), !CombiningMarks(in: decoded).areTooMany else { return nil }
        return decoded
    }
}
