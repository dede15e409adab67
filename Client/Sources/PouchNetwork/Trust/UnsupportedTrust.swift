/// A transport was asked for a way to trust servers that it does not have on this platform, so there is no transport.
public struct UnsupportedTrust: Error, Sendable, Equatable {
    /// For logs.
    public let explanation: String

    public init(_ explanation: String) {
        self.explanation = explanation
    }
}
