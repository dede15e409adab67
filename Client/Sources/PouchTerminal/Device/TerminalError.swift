/// Why a terminal cannot be drawn on.
public enum TerminalError: Error, Sendable, Equatable {
    /// Input or output is a file or a pipe.
    case noTerminal
    /// The terminal is of a kind that cannot place the cursor, as TERM tells.
    case cannotDraw(term: String)
    /// Another part of this process has a terminal already.
    case taken
    /// The system's number of what went wrong.
    case system(Int32)
}
