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

    /// Whose call this is, as `PouchService.owner` told; in anybody else's name it is not sent, and throws
    /// `.sessionEnded`. An idempotency key protects in the name of one owner only.
    public var owner: String?
    /// Whether a session that the answer begins is in use at once; false where `PouchService.takeUp` follows.
    public var takesUpSession: Bool

    public init(
        idempotencyKey: String? = nil, ifMatch: String? = nil, ifNoneMatch: String? = nil, usesCache: Bool = true,
        owner: String? = nil, takesUpSession: Bool = true
    ) {
        self.idempotencyKey = idempotencyKey
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
        self.usesCache = usesCache
        self.owner = owner
        self.takesUpSession = takesUpSession
    }
}
