/// What comes from a terminal.
public enum TerminalInput: Sendable, Equatable {
    case bytes([UInt8])
    /// The size may be another.
    case resized
    /// Somebody else has drawn on it meanwhile.
    case overwritten
    /// Nothing more will come: the window was closed, the connection broke.
    case closed
}
