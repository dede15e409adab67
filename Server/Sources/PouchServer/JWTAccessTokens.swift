import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

/// Access tokens as JSON Web Tokens signed with HMAC-SHA-256 (RFC 7519, `alg` `HS256`). The header's `kid` names the
/// signing key in the key ring.
struct JWTAccessTokens: AccessTokens {
    let keyRing: KeyRing
    let digests: any Digests
    let time: any TimeSource

    private struct Header: JSONModel {
        let alg: String
        let kid: String
        let typ: String?

        static let algorithm = "HS256"
        static let json = JSONObject(Header.init, .field("alg", \.alg), .field("kid", \.kid), .field("typ", \.typ))
    }

    private struct Claims: JSONModel {
        let sid: String
        /// Missing in tokens from earlier versions, which count as expired.
        let sub: String?
        let kind: String?
        let iat: Int
        let exp: Int

        static let json = JSONObject(
            Claims.init, .field("sid", \.sid), .field("sub", \.sub), .field("kind", \.kind), .field("iat", \.iat),
            .field("exp", \.exp))
    }

    func issue(for session: SessionRecord, expiresAt: Date) throws -> String {
        let key = keyRing.current
        let header = Header(alg: Header.algorithm, kid: key.id, typ: "JWT")
        let claims = Claims(
            sid: session.id, sub: session.principal.ownerId, kind: session.kind.rawValue,
            iat: Int(time.now.timeIntervalSince1970), exp: Int(expiresAt.timeIntervalSince1970.rounded(.up)))
        let signed = try header.json().base64URL + "." + claims.json().base64URL
        return signed + "." + digests.hmacSHA256(Data(signed.utf8), key: secret(key)).base64URL
    }

    /// Reads the key ring again if another process signed with a key that this process does not know yet.
    func verify(_ token: String) async throws -> Principal {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.decode(Header.self, parts[0]), header.alg == Header.algorithm,
            let signature = Data(base64URL: Substring(parts[2])), let key = try await keyRing.key(id: header.kid),
            digests.isHMACSHA256(signature, of: Data(token.utf8[..<parts[1].endIndex]), key: secret(key)),
            let claims = Self.decode(Claims.self, parts[1])
        else { throw DomainError.unauthenticated }
        guard time.now.timeIntervalSince1970 < Double(claims.exp), let ownerId = claims.sub,
            let kind = claims.kind.flatMap(SessionKind.init)
        else { throw DomainError.tokenExpired }
        return Principal(sessionId: claims.sid, kind: kind, ownerId: ownerId)
    }

    private func secret(_ key: SigningKey) -> Data { keyRing.derivedKey("access token", from: key) }

    private static func decode<Part: JSONCodable>(_ type: Part.Type, _ text: Substring.UTF8View) -> Part? {
        Data(base64URL: Substring(text)).flatMap { try? Part(json: $0) }
    }
}
