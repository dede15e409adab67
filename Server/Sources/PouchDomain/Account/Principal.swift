import PouchEntities

/// Who a request comes from.
public struct Principal: Sendable, Hashable {
    public let sessionId: String
    public let kind: SessionKind
    /// What carts, orders and idempotency keys belong to: the account, or a guest's session.
    public let ownerId: String

    public init(sessionId: String, kind: SessionKind, ownerId: String) {
        self.sessionId = sessionId
        self.kind = kind
        self.ownerId = ownerId
    }

    public var isGuest: Bool { kind == .guest }
}
