import Foundation

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

extension TerminalError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .noTerminal: "This needs a terminal for its input and its output."
        case .cannotDraw(""): "TERM does not say what kind of terminal this is."
        case .cannotDraw(let term): "A terminal of the kind \(term) cannot be drawn on."
        case .taken: "The terminal is in use already."
        case .system(let number): "The terminal does not answer: \(String(cString: strerror(number)))."
        }
    }
}
