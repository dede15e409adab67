/// What a caller may add to a call.
public struct CallOptions: Sendable, Equatable {
    /// For a POST whose effect must happen once over several tries; one is made where this is nil.
    public var idempotencyKey: String?
    /// An ETag; the write is refused with 412 when the server's state is another.
    public var ifMatch: String?
    /// An ETag; the answer is 304 without a body while it still holds.
    public var ifNoneMatch: String?
    /// Whether a cache may answer, and keep the answer; false for what is kept elsewhere.
    public var usesCache: Bool

    public init(
        idempotencyKey: String? = nil, ifMatch: String? = nil, ifNoneMatch: String? = nil, usesCache: Bool = true
    ) {
        self.idempotencyKey = idempotencyKey
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.usesCache = usesCache
    }
}
