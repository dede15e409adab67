/// There is more work than the bound allows to wait; later it may go.
public struct OverloadError: Error {
    public let retryAfterSeconds: Int

    public init(retryAfterSeconds: Int) {
        self.retryAfterSeconds = retryAfterSeconds
    }
}
