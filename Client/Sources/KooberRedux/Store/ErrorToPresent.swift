import KooberKit

/// An error until it is acknowledged. It lies in the state of what it belongs to, and is gone with that.
public struct ErrorToPresent: Equatable, Sendable, Identifiable {
    /// Errors are shown in the order of their numbers, wherever they lie.
    public let id: SerialNumber
    public let message: ErrorMessage

    public init(id: SerialNumber, message: ErrorMessage) {
        self.id = id
        self.message = message
    }
}
