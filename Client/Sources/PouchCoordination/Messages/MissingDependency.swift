/// Thrown by a handler before it does anything: what it needs is not there yet. Whoever sends by `Responder.send` waits, and
/// tries again.
public struct MissingDependency: Error, CustomStringConvertible {
    /// The dependency, as in `\AppDependency.cart`.
    public let name: String
    let waitingMessages: WaitingMessages
    let isThere: @MainActor @Sendable () -> Bool

    func comes() async throws(UndeliveredMessage) {
        try await waitingMessages.wait(until: isThere)
    }

    public var description: String { "\(name) is not there yet" }
}
