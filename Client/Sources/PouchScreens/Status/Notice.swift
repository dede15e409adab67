/// Something that people are told once.
public struct Notice: Sendable, Hashable {
    /// One or two sentences.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}
