/// A password. Its text never gets into a log by way of a description.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    public let text: String

    public init(_ text: String = "") {
        self.text = text
    }

    public var isEmpty: Bool { text.isEmpty }
    public var description: String { "Secret" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
