import Foundation
import JWTKit
import PouchDomain

/// Access tokens as JSON Web Tokens with HMAC-SHA-256, named by the id of the signing key.
struct JWTAccessTokens: AccessTokens {
    private static let purpose = "access token"

    private let keyRing: KeyRing
    private let time: any TimeSource
    private let keys = JWTKeyCollection()

    init(keyRing: KeyRing, time: any TimeSource) async {
        self.keyRing = keyRing
        self.time = time
        for key in keyRing.all { await know(key) }
    }

    private struct Payload: JWTPayload {
        let sid: String
        let iat: Int
        let exp: Int

        /// The time of expiry is compared with the injected clock, in `verify(_:)` of the tokens.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    func issue(for session: SessionRecord, expiresAt: Date) async throws -> String {
        try await keys.sign(
            Payload(
                sid: session.id, iat: Int(time.now.timeIntervalSince1970),
                exp: Int(expiresAt.timeIntervalSince1970.rounded(.up))),
            kid: JWKIdentifier(string: keyRing.current.id))
    }

    func verify(_ token: String) async throws -> String {
        var payload = try? await keys.verify(token, as: Payload.self)
        // Another process may have made a key since; whatever else is wrong with the token stays wrong.
        if payload == nil, try await learnKey(of: token) {
            payload = try? await keys.verify(token, as: Payload.self)
        }
        guard let payload else { throw DomainError.unauthenticated }
        guard time.now.timeIntervalSince1970 < Double(payload.exp) else { throw DomainError.tokenExpired }
        return payload.sid
    }

    /// - Returns: whether the token names a key that was not known to be one until now.
    private func learnKey(of token: String) async throws -> Bool {
        guard let id = try? DefaultJWTParser().parse(Array(token.utf8), as: Payload.self).header.kid,
            !keyRing.all.contains(where: { $0.id == id }),
            let key = try await keyRing.key(id: id)
        else { return false }
        await know(key)
        return true
    }

    private func know(_ key: SigningKey) async {
        await keys.add(
            hmac: HMACKey(from: keyRing.derivedKey(Self.purpose, from: key)), digestAlgorithm: .sha256,
            kid: JWKIdentifier(string: key.id))
    }
}
