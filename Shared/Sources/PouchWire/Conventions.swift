/// The header fields that have a meaning in the contract.
public enum HeaderName {
    public static let authorization = "Authorization"
    /// The access token without a scheme, for a client behind a proxy that needs `Authorization` itself. If this field
    /// is present, the server ignores `Authorization`.
    public static let accessToken = "Pouch-Access-Token"
    /// The id of the request in the server's log, on every response of the application.
    public static let requestId = "Request-Id"
    /// W3C Trace Context; the server continues the request's trace.
    public static let traceparent = "traceparent"
    public static let idempotencyKey = "Idempotency-Key"
    /// `true` on a response that repeats the response to the first request with the same key.
    public static let idempotentReplayed = "Idempotent-Replayed"
    /// `true` or `false` on 409, 429 and 5xx: whether sending the same request again can help.
    public static let shouldRetry = "Should-Retry"
    /// The seconds to wait before the next attempt.
    public static let retryAfter = "Retry-After"
    public static let etag = "ETag"
    public static let ifMatch = "If-Match"
    public static let ifNoneMatch = "If-None-Match"
    /// The id of the last event received; the next stream continues after it.
    public static let lastEventId = "Last-Event-ID"
    /// The header whose value `return=minimal` on a cart write requests only the changed line and the totals.
    public static let prefer = "Prefer"
}

/// The limits of requests; those of the model are in `ModelLimits`.
public enum Limits {
    /// Bytes of a request body.
    public static let bodyBytes = 1 << 20
    /// Bytes of an imported feed.
    public static let importBytes = 256 << 20
    /// Bytes of all header fields, names and values.
    public static let headerBytes = 16 << 10
    /// Items in one page of a list.
    public static let pageSize = 1...200
    /// Items in one page when the request has no `limit`.
    public static let defaultPageSize = 50
    /// SKUs in one request for availability.
    public static let availabilitySKUs = 1...100
    /// Visible ASCII characters of an idempotency key.
    public static let idempotencyKeyLength = 1...255
}
