import Foundation
import PouchEntities
import PouchJSON

/// Creates sessions and exchanges refresh tokens.
///
/// A refresh token is stored as a hash. Its successor is derived from it with a signing key, so that a client that lost
/// the response and repeats the request gets the same successor, although no token is stored.
public struct SessionIssuer: Sendable {
    public static let accessTokenLifetime: TimeInterval = 15 * 60
    public static let refreshTokenLifetime: TimeInterval = 30 * 24 * 3600
    /// The time after which a session can no longer be refreshed, however often it was.
    public static let sessionLifetime: TimeInterval = 365 * 24 * 3600
    /// The time for which a used token still returns its successor, while the successor is unused, in seconds.
    public static let grace: TimeInterval = 60

    private let environment: DomainEnvironment
    private let keyRing: KeyRing
    private let accessTokens: any AccessTokens

    public init(_ environment: DomainEnvironment, keyRing: KeyRing, accessTokens: any AccessTokens) {
        self.environment = environment
        self.keyRing = keyRing
        self.accessTokens = accessTokens
    }

    /// A new session with its first refresh token.
    struct NewSession: Sendable {
        let session: SessionRecord
        let profile: Profile?
        let role: StaffRole?
        let refreshToken: String
        let refreshTokenExpiresAt: Date
    }

    func create(
        kind: SessionKind, account: AccountRecord?, origin: SessionOrigin, in repositories: any Repositories
    ) throws -> NewSession {
        let now = environment.time.now
        let session = SessionRecord(
            id: environment.ids.make(.session), kind: kind, accountId: account?.id, email: account?.email,
            createdAt: now)
        let token = ByteAlphabet.base64URL.text(environment.random.bytes(32))
        let expiresAt = now.addingTimeInterval(Self.refreshTokenLifetime)
        try repositories.sessions.insert(session)
        try repositories.sessions.insert(
            RefreshTokenRecord(hash: hash(token), sessionId: session.id, expiresAt: expiresAt, origin: origin))
        return NewSession(
            session: session, profile: account?.profile, role: account?.role.staffRole, refreshToken: token,
            refreshTokenExpiresAt: expiresAt)
    }

    /// Issues the access token, outside of any transaction.
    func issue(_ new: NewSession) async throws -> UserSession {
        let expiresAt = environment.time.now.addingTimeInterval(Self.accessTokenLifetime)
        return UserSession(
            id: new.session.id,
            kind: new.session.kind,
            profile: new.profile,
            remoteSession: RemoteSession(
                accessToken: try await accessTokens.issue(for: new.session, expiresAt: expiresAt),
                accessTokenExpiresAt: expiresAt,
                refreshToken: new.refreshToken,
                refreshTokenExpiresAt: new.refreshTokenExpiresAt
            ),
            role: new.session.kind == .admin ? new.role : nil
        )
    }

    /// Exchanges a refresh token for its successor.
    ///
    /// - Parameter origin: the network and the client that now use the session; nil if unknown.
    /// - Throws: `DomainError.unauthenticated`, `.tokenExpired`; `.tokenReused`, after which the session has ended.
    public func refresh(_ token: String, from origin: SessionOrigin? = nil) async throws -> UserSession {
        while true {
            let keys = keyRing.all
            let outcome = try await environment.store.write { try exchange(token, keys: keys, origin: origin, in: $0) }
            switch outcome {
            case .created(let new): return try await issue(new)
            case .reused: throw DomainError.tokenReused
            case .unknownKey(let id):
                // The key was retired; the successor can no longer be derived.
                guard try await keyRing.key(id: id) != nil else { throw DomainError.unauthenticated }
            }
        }
    }

    /// The kind of session that a refresh token belongs to, even after the session has ended; nil for an unknown token.
    public func kind(of token: String) async throws -> SessionKind? {
        try await environment.store.read { repositories in
            guard let record = try repositories.sessions.refreshToken(hash: hash(token)) else { return nil }
            return try repositories.sessions.session(id: record.sessionId, locking: false)?.kind
        }
    }

    private enum Outcome: Sendable {
        case created(NewSession)
        /// Not thrown inside the transaction, which must commit the end of the session.
        case reused
        /// The successor was derived from a key that this process has not loaded yet.
        case unknownKey(id: String)
    }

    /// - Parameter keys: the keys, newest first.
    private func exchange(
        _ token: String, keys: [SigningKey], origin: SessionOrigin?, in repositories: any Repositories
    ) throws -> Outcome {
        let now = environment.time.now
        let sessions = repositories.sessions
        guard let record = try sessions.refreshToken(hash: hash(token)) else { throw DomainError.unauthenticated }
        let session = try sessions.activeSession(id: record.sessionId)
        guard now < record.expiresAt else { throw DomainError.tokenExpired }

        let successor: String
        let expiresAt: Date
        if let usedAt = record.usedAt {
            guard now.timeIntervalSince(usedAt) <= Self.grace,
                let successorHash = record.successorHash,
                let next = try sessions.refreshToken(hash: successorHash), next.usedAt == nil,
                let keyId = record.successorKeyId
            else {
                try sessions.end(id: session.id, at: now)
                return .reused
            }
            guard let key = keys.first(where: { $0.id == keyId }) else { return .unknownKey(id: keyId) }
            successor = self.successor(of: token, key: key)
            expiresAt = next.expiresAt
        } else {
            let key = keys[0]
            successor = self.successor(of: token, key: key)
            expiresAt = min(
                now.addingTimeInterval(Self.refreshTokenLifetime),
                session.createdAt.addingTimeInterval(Self.sessionLifetime))
            let successorHash = hash(successor)
            try sessions.markUsed(hash: record.hash, at: now, successorHash: successorHash, successorKeyId: key.id)
            try sessions.insert(
                RefreshTokenRecord(
                    hash: successorHash, sessionId: session.id, expiresAt: expiresAt, origin: origin))
        }
        let account = try session.accountId.flatMap { try repositories.accounts.account(id: $0) }
        return .created(
            NewSession(
                session: session, profile: account?.profile, role: account?.role.staffRole, refreshToken: successor,
                refreshTokenExpiresAt: expiresAt))
    }

    private func successor(of token: String, key: SigningKey) -> String {
        environment.digests.hmacSHA256(Data(token.utf8), key: keyRing.derivedKey("refresh", from: key)).base64URL
    }

    private func hash(_ token: String) -> Data {
        environment.digests.sha256(Data(token.utf8))
    }
}
