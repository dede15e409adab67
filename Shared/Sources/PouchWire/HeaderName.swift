/// The header fields to which the contract gives a meaning.
public enum HeaderName {
    public static let authorization = "Authorization"
    /// On every answer that the application gives; the name of the request in the server's log.
    public static let requestId = "Request-Id"
    /// W3C Trace Context; taken over from the request.
    public static let traceparent = "traceparent"
    public static let idempotencyKey = "Idempotency-Key"
    /// `true` on an answer that repeats what the first request with the same key got.
    public static let idempotentReplayed = "Idempotent-Replayed"
    /// `true` or `false` on 409, 429 and 5xx: whether sending the same again can help.
    public static let shouldRetry = "Should-Retry"
    /// Seconds to wait before trying again.
    public static let retryAfter = "Retry-After"
    public static let etag = "ETag"
    public static let ifMatch = "If-Match"
    public static let ifNoneMatch = "If-None-Match"
    /// The id of the last event that a stream gave; the next stream goes on behind it.
    public static let lastEventId = "Last-Event-ID"
    /// `return=minimal` on a cart write asks for the changed line and totals alone.
    public static let prefer = "Prefer"
}
