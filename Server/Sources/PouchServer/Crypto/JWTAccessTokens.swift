import Foundation
import JWTKit
import PouchDomain
import PouchEntities
import Synchronization

/// Access tokens as JSON Web Tokens with HMAC-SHA-256, named by the id of the signing key.
final class JWTAccessTokens: AccessTokens {
    private static let purpose = "access token"

    private let keyRing: KeyRing
    private let time: any TimeSource
    private let keys = JWTKeyCollection()
    /// The ids of the keys that are in the collection.
    private let known = Mutex<Set<String>>([])

    init(keyRing: KeyRing, time: any TimeSource) {
        self.keyRing = keyRing
        self.time = time
    }

    private struct Payload: JWTPayload {
        let sid: String
        /// Absent in tokens of earlier versions, which count as expired.
        let sub: String?
        let kind: String?
        let iat: Int
        let exp: Int

        /// The time of expiry is compared with the injected clock, in `verify(_:)` of the tokens.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    func issue(for session: SessionRecord, expiresAt: Date) async throws -> String {
        let key = keyRing.current
        await know(key)
        return try await keys.sign(
            Payload(
                sid: session.id, sub: session.principal.ownerId, kind: session.kind.rawValue,
                iat: Int(time.now.timeIntervalSince1970),
                exp: Int(expiresAt.timeIntervalSince1970.rounded(.up))),
            kid: JWKIdentifier(string: key.id))
    }

    func verify(_ token: String) async throws -> Principal {
        var payload = try? await keys.verify(token, as: Payload.self)
        // The key may not have been in the collection; whatever else is wrong with the token stays wrong.
        if payload == nil, try await learnKey(of: token) {
            payload = try? await keys.verify(token, as: Payload.self)
        }
        guard let payload else { throw DomainError.unauthenticated }
        guard time.now.timeIntervalSince1970 < Double(payload.exp), let ownerId = payload.sub,
            let kind = payload.kind.flatMap(SessionKind.init)
        else { throw DomainError.tokenExpired }
        return Principal(sessionId: payload.sid, kind: kind, ownerId: ownerId)
    }

    /// - Returns: whether the key that the token names is in the collection; another request may just have put it there.
    private func learnKey(of token: String) async throws -> Bool {
        guard let id = try? DefaultJWTParser().parse(Array(token.utf8), as: Payload.self).header.kid
        else { return false }
        if known.withLock({ $0.contains(id) }) { return true }
        guard let key = try await keyRing.key(id: id) else { return false }
        await know(key)
        return true
    }

    private func know(_ key: SigningKey) async {
        guard !known.withLock({ $0.contains(key.id) }) else { return }
        await keys.add(
            hmac: HMACKey(from: keyRing.derivedKey(Self.purpose, from: key)), digestAlgorithm: .sha256,
            kid: JWKIdentifier(string: key.id))
        // After the key is in, so that nobody takes it for known before.
        known.withLock { _ = $0.insert(key.id) }
    }
}
