extension NetworkRequest {
    /// Whether a second sending is harmless: the method is idempotent (RFC 9110, section 9.2.2), or the server knows
    /// the request again by its `Idempotency-Key`.
    ///
    /// A write with `If-Match` is not: had the first one its effect, the second would be told that it came too late.
    public var isRepeatable: Bool {
        if let repeatable { return repeatable }
        if headers["Idempotency-Key"] != nil { return true }
        return ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method)
            || ["PUT", "DELETE"].contains(method) && headers["If-Match"] == nil
    }
}
