import Foundation
import PouchEntities

/// A stored session; also the family of its refresh tokens.
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

/// A stored refresh token: its hash, never the token itself.
public struct RefreshTokenRecord: Sendable, Equatable {
    public let hash: Data
    public let sessionId: String
    public let expiresAt: Date
    public let usedAt: Date?
    /// The hash of the successor token, and the id of the key that it was derived from.
    public let successorHash: Data?
    public let successorKeyId: String?
    /// The network and the client that requested the token.
    public let origin: SessionOrigin?

    public init(
        hash: Data, sessionId: String, expiresAt: Date, usedAt: Date? = nil, successorHash: Data? = nil,
        successorKeyId: String? = nil, origin: SessionOrigin? = nil
    ) {
        self.hash = hash
        self.sessionId = sessionId
        self.expiresAt = expiresAt
        self.usedAt = usedAt
        self.successorHash = successorHash
        self.successorKeyId = successorKeyId
        self.origin = origin
    }
}

public protocol SessionRepository {
    func insert(_ session: SessionRecord) throws
    /// - Parameter locking: whether to lock the session until the transaction ends.
    func session(id: String, locking: Bool) throws -> SessionRecord?
    /// Stores when the password, and the second factor if there is one, were last confirmed.
    func confirm(id: String, at: Date) throws
    func end(id: String, at: Date) throws
    func endAll(accountId: String, except sessionId: String?, at: Date) throws
    /// The sessions of an account that can be refreshed at a time, latest first, after the one with the id. Their
    /// origin is that of their last refresh token.
    func active(accountId: String, at: Date, after id: String?, limit: Int) throws -> [AccountSession]

    func insert(_ token: RefreshTokenRecord) throws
    func refreshToken(hash: Data) throws -> RefreshTokenRecord?
    func markUsed(hash: Data, at: Date, successorHash: Data, successorKeyId: String) throws

    /// The number of failed attempts under each key since a time, and the time of the oldest. Keys without failures are
    /// omitted.
    func failures(keys: [Data], since: Date) throws -> [Data: (count: Int, oldest: Date)]
    func addFailure(key: Data, attempt: String, at: Date) throws
    func clearFailures(key: Data) throws
    /// Deletes the failure of the attempt under the key.
    func removeFailure(key: Data, attempt: String) throws
    /// Deletes all failures, under any key, of the attempts that have one under the key.
    func removeAttempts(key: Data) throws
    /// Deletes failures and refresh tokens that expired before a time, at most `limit` of each, then the sessions
    /// without tokens, with the carts and discount uses of guests. Returns whether there may be more.
    func purge(before: Date, limit: Int) throws -> Bool
}

extension SessionRepository {
    /// The seconds until there are fewer failures in a time window than each limit allows; nil if there already are.
    func wait(_ limits: [AttemptLimit], window: TimeInterval, at now: Date) throws -> Int? {
        limits.wait(
            after: try failures(keys: limits.map(\.key), since: now.addingTimeInterval(-window)), window: window,
            at: now)
    }

    /// - Throws: `DomainError.unauthenticated` when the session has ended.
    func activeSession(id: String, locking: Bool = false) throws -> SessionRecord {
        guard let session = try session(id: id, locking: locking), session.endedAt == nil else {
            throw DomainError.unauthenticated
        }
        return session
    }
}

/// The maximum number of failed attempts of one kind in a time window.
struct AttemptLimit: Sendable {
    /// A hash, so that no addresses are stored.
    let key: Data
    let most: Int

    init(_ most: Int, _ name: String..., by digests: any Digests) {
        self.most = most
        key = digests.sha256(Data(name.joined(separator: "\n").utf8))
    }
}

extension [AttemptLimit] {
    /// The seconds until there are fewer failures than each limit allows; nil if there already are.
    func wait(after failures: [Data: (count: Int, oldest: Date)], window: TimeInterval, at now: Date) -> Int? {
        compactMap { limit -> Int? in
            guard let found = failures[limit.key], found.count >= limit.most else { return nil }
            return Swift.max(1, Int(found.oldest.addingTimeInterval(window).timeIntervalSince(now).rounded(.up)))
        }.max()
    }
}

/// The session and owner that a request acts for, or the API key.
public struct Principal: Sendable, Hashable {
    public enum Credential: Sendable, Hashable {
        case session
        case apiKey
    }

    /// The session, or the API key.
    public let sessionId: String
    public let kind: SessionKind
    /// The owner of carts, orders and idempotency keys: the account, a guest's session, or the API key.
    public let ownerId: String
    public let credential: Credential
    /// The endpoint's requirements beyond a session. They are part of the principal so that `checkSession` checks them
    /// together with the session.
    public var demand: Demand?

    public init(sessionId: String, kind: SessionKind, ownerId: String, credential: Credential = .session) {
        self.sessionId = sessionId
        self.kind = kind
        self.ownerId = ownerId
        self.credential = credential
    }

    public var isGuest: Bool { kind == .guest }
}

extension Principal {
    /// Checks that the session has not ended since the request was authenticated, and that the principal meets the
    /// endpoint's requirements. A transaction that reads or writes for the principal calls this first: at sign-in a
    /// guest's cart and orders move to the account.
    ///
    /// - Parameter isolation: the transaction's isolation; with committed reads, the session is locked too.
    /// - Throws: `DomainError.unauthenticated`, and the errors of `Demand.check`.
    public func checkSession(_ isolation: Isolation = .serializable, in repositories: any Repositories) throws {
        switch (credential, isolation) {
        case (.apiKey, _): try checkKey(in: repositories)
        case (.session, .serializable): _ = try session(locking: false, in: repositories)
        case (.session, .readCommitted): _ = try lockSession(in: repositories)
        }
    }

    /// Locks the session in a transaction that reads committed rows. A sign-in that ends the session and moves its
    /// orders then waits, and sees everything that this transaction wrote.
    ///
    /// - Throws: the errors of `checkSession`.
    func lockSession(in repositories: any Repositories) throws -> SessionRecord {
        try session(locking: true, in: repositories)
    }

    /// A token signed with a stolen key can claim anything about a session, but cannot change the stored one.
    private func session(locking: Bool, in repositories: any Repositories) throws -> SessionRecord {
        guard credential == .session else { throw DomainError.unauthenticated }
        let session = try repositories.sessions.activeSession(id: sessionId, locking: locking)
        guard session.kind == kind, session.principal.ownerId == ownerId else { throw DomainError.unauthenticated }
        try demand?.check(sessionId: sessionId, in: repositories)
        return session
    }
}

/// Issues and verifies access tokens. Every process with the same signing keys can verify them.
public protocol AccessTokens: Sendable {
    func issue(for session: SessionRecord, expiresAt: Date) async throws -> String

    /// Returns the principal that the token was issued to; the session may have ended since.
    ///
    /// - Throws: `DomainError.tokenExpired`, `.unauthenticated`.
    func verify(_ token: String) async throws -> Principal
}
