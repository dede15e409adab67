/// A message that went up to the root without finding anybody who handles its family.
public struct UnhandledMessage: Error, Sendable, Equatable {
    /// The family's name, as in `CartMessages`.
    public let family: String
    /// The type of the responder that sent it.
    public let sender: String
    /// Where in the sources it was sent, which tells the message: `Module/File.swift`.
    public let fileID: String
    public let line: Int

    public init(family: String, sender: String, fileID: String, line: Int) {
        self.family = family
        self.sender = sender
        self.fileID = fileID
        self.line = line
    }
}

extension UnhandledMessage: CustomStringConvertible {
    public var description: String {
        "nobody handles \(family), to which \(sender) sent a message at \(fileID):\(line)"
    }
}
