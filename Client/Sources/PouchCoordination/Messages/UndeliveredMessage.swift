/// Why a message did not reach its handler. It had no effect.
public enum UndeliveredMessage: Error, Sendable, Equatable {
    /// The handler keeps as many waiting messages as it may.
    case queueFull
    /// The handler stopped, or is gone.
    case stopped
    /// The task that sent it was cancelled.
    case cancelled
}
