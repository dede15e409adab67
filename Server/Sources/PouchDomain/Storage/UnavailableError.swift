/// The store cannot be reached. Nothing of what was asked for remains in it; the same may work in a moment.
public struct UnavailableError: Error {
    /// For logs, never for answers.
    public let reason: String

    public init(reason: String) {
        self.reason = reason
    }
}
