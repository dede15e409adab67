/// How long the slow cards take.
public struct SandboxTiming: Sendable {
    /// Until `tok_slow` is charged.
    public let slow: Duration
    /// Until the connection is closed on which `tok_lost` waits for an answer.
    public let lost: Duration

    public init(slow: Duration, lost: Duration) {
        self.slow = slow
        self.lost = lost
    }

    public static let standard = SandboxTiming(slow: .seconds(5), lost: .seconds(10))
}
