import Foundation
import PouchEntities

/// A session as it is kept; also the family that its refresh tokens form.
public struct SessionRecord: Sendable, Equatable {
    public let id: String
    public let kind: SessionKind
    /// nil for a guest.
    public let accountId: String?
    /// The account's e-mail address; nil for a guest.
    public let email: String?
    public let createdAt: Date
    public let endedAt: Date?

    public init(
        id: String, kind: SessionKind, accountId: String?, email: String?, createdAt: Date, endedAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.accountId = accountId
        self.email = email
        self.createdAt = createdAt
        self.endedAt = endedAt
    }

    public var principal: Principal {
        Principal(sessionId: id, kind: kind, ownerId: accountId ?? id)
    }
}

/// A refresh token as it is kept: its hash, never itself.
public struct RefreshTokenRecord: Sendable, Equatable {
    public let hash: Data
    public let sessionId: String
    public let expiresAt: Date
    public let usedAt: Date?
    /// The hash of the token that followed, and the key from which that was derived.
    public let successorHash: Data?
    public let successorKeyId: String?

    public init(
        hash: Data,
        sessionId: String,
        expiresAt: Date,
        usedAt: Date? = nil,
        successorHash: Data? = nil,
        successorKeyId: String? = nil
    ) {
        self.hash = hash
        self.sessionId = sessionId
        self.expiresAt = expiresAt
        self.usedAt = usedAt
        self.successorHash = successorHash
        self.successorKeyId = successorKeyId
    }
}
