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
    let maximum: Int

    init(_ maximum: Int, _ name: String..., by digests: any Digests) {
        self.maximum = maximum
        key = digests.sha256(Data(name.joined(separator: "\n").utf8))
    }
}

extension [AttemptLimit] {
    /// The seconds until there are fewer failures than each limit allows; nil if there already are.
    func wait(after failures: [Data: (count: Int, oldest: Date)], window: TimeInterval, at now: Date) -> Int? {
        compactMap { limit -> Int? in
            guard let found = failures[limit.key], found.count >= limit.maximum else { return nil }
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
    public var requirements: Requirements?

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
    /// - Throws: `DomainError.unauthenticated`, and the errors of `Requirements.check`.
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
        try requirements?.check(sessionId: sessionId, in: repositories)
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

extension Principal {
    /// The requirements of an endpoint beyond an active session. The transaction that works for the principal checks
    /// them, so that a changed role takes effect with the next transaction.
    public struct Requirements: Sendable, Hashable {
        /// The time for which a confirmed password counts as a fresh sign-in, in seconds.
        public static let freshness: TimeInterval = 10 * 60

        public let permission: Permission?
        /// The time since which the password must have been confirmed; nil if no confirmation is needed.
        public let confirmedSince: Date?
        /// Whether staff must have a second factor.
        public let needsSecondFactor: Bool

        /// - Returns: nil for an endpoint that any session may call. It needs no further read.
        public init?(permission: Permission?, confirmedSince: Date? = nil, needsSecondFactor: Bool = false) {
            guard permission != nil || confirmedSince != nil else { return nil }
            self.permission = permission
            self.confirmedSince = confirmedSince
            self.needsSecondFactor = needsSecondFactor
        }
    }

    /// The principal's current permissions. The principal cannot grant a role or a scope with others.
    ///
    /// - Throws: `DomainError.unauthenticated`, `.apiKeyInvalid`.
    func permissions(in repositories: any Repositories) throws -> Set<Permission> {
        switch credential {
        case .apiKey: Permission.ofKeys.intersection(try activeKey(in: repositories).key.scopes)
        case .session: try repositories.staff.staffStatus(sessionId: sessionId)?.role?.permissions ?? []
        }
    }

    /// - Throws: `DomainError.apiKeyInvalid`, `.forbidden`.
    func checkKey(in repositories: any Repositories) throws {
        try checkKey(for: requirements?.permission, in: repositories)
    }

    /// - Parameter permission: nil for an endpoint that needs an account.
    /// - Throws: `DomainError.apiKeyInvalid`, `.forbidden`.
    public func checkKey(for permission: Permission?, in repositories: any Repositories) throws {
        let scopes = try permissions(in: repositories)
        // A key is not a customer, and has no password to confirm.
        guard let permission else { throw DomainError.forbidden("An API key has no account.") }
        guard Permission.ofKeys.contains(permission) else {
            throw DomainError.forbidden("No API key can have the scope \(permission.rawValue). Sign in instead.")
        }
        guard scopes.contains(permission) else {
            throw DomainError.forbidden("The API key does not have the scope \(permission.rawValue).")
        }
    }

    private func activeKey(in repositories: any Repositories) throws -> APIKeyRecord {
        guard let key = try repositories.apiKeys.key(id: sessionId), key.revokedAt == nil else {
            throw DomainError.apiKeyInvalid
        }
        return key
    }
}

extension Principal.Requirements {
    /// - Throws: `DomainError.unauthenticated`, `.forbidden`, `.secondFactorNeeded`, `.freshSignInRequired`.
    func check(sessionId: String, in repositories: any Repositories) throws {
        guard let staffStatus = try repositories.staff.staffStatus(sessionId: sessionId) else {
            throw DomainError.unauthenticated
        }
        if let permission {
            guard let role = staffStatus.role else { throw DomainError.staffOnly(permission) }
            guard role.permissions.contains(permission) else {
                throw DomainError.forbidden(
                    "Your role (\(role.title)) does not have the permission \(permission.rawValue). Ask an owner for it."
                )
            }
            guard staffStatus.hasSecondFactor || !needsSecondFactor else { throw DomainError.secondFactorNeeded }
        }
        if let confirmedSince, staffStatus.confirmedAt < confirmedSince { throw DomainError.freshSignInRequired }
    }
}

extension DomainError {
    /// The refusal of a guest or a customer. It names the permission, like the refusals of staff and API keys.
    public static func staffOnly(_ permission: Permission) -> DomainError {
        .forbidden("Only staff with the permission \(permission.rawValue) may do this.")
    }
}

/// The role of a session's account, whether it has a second factor, and when the session was last confirmed.
public struct StaffStatus: Sendable, Equatable {
    /// nil for a customer.
    public let role: StaffRole?
    public let hasSecondFactor: Bool
    /// The time at which the session's password and second factor were last confirmed.
    public let confirmedAt: Date

    public init(role: StaffRole?, hasSecondFactor: Bool, confirmedAt: Date) {
        self.role = role
        self.hasSecondFactor = hasSecondFactor
        self.confirmedAt = confirmedAt
    }
}

extension Repositories {
    /// Ends what a staff member or an API key has granted and could no longer grant: invitations are deleted, API keys
    /// revoked, and webhooks switched off. So a member who loses a permission keeps no access through grants.
    ///
    /// - Parameters:
    ///   - granter: the account, or the API key.
    ///   - permissions: the permissions that it has from now on.
    func endGrants(of granter: String, keeping permissions: Set<Permission> = [], at now: Date) throws {
        // They may be for roles that the granter can no longer grant.
        try staff.deleteInvitations(by: granter)
        for key in try apiKeys.keys(madeBy: granter) where !permissions.isSuperset(of: key.scopes + [.manageStaff]) {
            try apiKeys.revoke(id: key.id, at: now)
            try endGrants(of: key.id, at: now)
        }
        if !permissions.contains(.manageWebhooks) { try webhooks.switchOff(addedBy: granter) }
    }

    /// Whether the inviting member may still grant the role.
    func isCovered(_ invitation: StaffInvitation) throws -> Bool {
        let role = try accounts.account(id: invitation.invitedBy)?.role.staffRole
        return role?.permissions.isSuperset(of: invitation.role.permissions.union([.manageStaff])) ?? false
    }

    /// The webhooks that get events. A paused one gets them once it is active again. A webhook that an API key added is
    /// switched off here once the key has expired.
    func enabledWebhooks(at now: Date) throws -> [WebhookRecord] {
        try webhooks.webhooks(after: nil, limit: ModelLimits.webhooks).filter { webhook in
            guard webhook.status != .off else { return false }
            guard let id = webhook.addedBy, id.hasPrefix(Identifier.Kind.apiKey.rawValue),
                try apiKeys.key(id: id)?.isValid(at: now) != true
            else { return true }
            try webhooks.switchOff(addedBy: id)
            return false
        }
    }
}
