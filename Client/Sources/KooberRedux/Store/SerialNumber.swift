/// Tells scopes, requests and errors apart, and which came first.
public struct SerialNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: Int

    public init(_ value: Int) {
        self.value = value
    }

    public static func < (one: SerialNumber, other: SerialNumber) -> Bool {
        one.value < other.value
    }

    public var description: String { "#\(value)" }
}
