import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON

/// The session of a visitor, which is one of the API in cookies.
struct WebSession: Sendable {
    let principal: Principal
    let accessToken: String
}

/// Keeps sessions in cookies, and makes the tokens of forms.
struct WebSessions: Sendable {
    private static let formSeedBytes = 18

    private let tokens: any AccessTokens
    private let issuer: SessionIssuer
    private let keyRing: KeyRing
    private let environment: DomainEnvironment

    init(_ services: ShopServices) {
        tokens = services.accessTokens
        issuer = services.issuer
        keyRing = services.keyRing
        environment = services.environment
    }

    /// The session of the cookies; nil without one. An access token that has expired is replaced; requests of several
    /// tabs at once get the same successor.
    ///
    /// - Throws: `DomainError.unauthenticated` for a session that has ended.
    func session(of visit: CookieJar, _ request: Request, _ context: PouchRequestContext) async throws -> WebSession? {
        if let token = visit[.access], let principal = try? await tokens.verify(token) {
            return WebSession(principal: principal, accessToken: token)
        }
        guard let refreshToken = visit[.refresh] else { return nil }
        do {
            let origin = SessionOrigin(network: context.network, userAgent: request.headers[.userAgent])
            let session = try await issuer.refresh(refreshToken, from: origin)
            store(session, in: visit)
            return WebSession(
                principal: try await tokens.verify(session.remoteSession.accessToken),
                accessToken: session.remoteSession.accessToken)
        } catch DomainError.tokenExpired, DomainError.tokenReused {
            throw DomainError.unauthenticated
        }
    }

    /// Whether the session of the cookies is not one of an account, also after it has ended; false without one.
    func isOfGuest(_ visit: CookieJar) async throws -> Bool {
        guard let token = visit[.refresh] else { return false }
        let kind = try await issuer.kind(of: token)
        return kind == nil || kind == .guest
    }

    /// Puts a new session into the cookies. Forms that were made before it are refused from now on, so that a token
    /// that an attacker knew before the sign-in is of no use.
    func begin(_ session: UserSession, in visit: CookieJar) async throws -> WebSession {
        store(session, in: visit)
        visit.set(.form, to: newSeed())
        return WebSession(
            principal: try await tokens.verify(session.remoteSession.accessToken),
            accessToken: session.remoteSession.accessToken)
    }

    func end(in visit: CookieJar) {
        visit.remove(.access)
        visit.remove(.refresh)
        visit.remove(.cart)
        visit.set(.form, to: newSeed())
    }

    private func store(_ session: UserSession, in visit: CookieJar) {
        let now = environment.time.now
        func seconds(until date: Date) -> Int { max(1, Int(date.timeIntervalSince(now))) }
        let remote = session.remoteSession
        visit.set(.access, to: remote.accessToken, for: seconds(until: remote.accessTokenExpiresAt))
        visit.set(.refresh, to: remote.refreshToken, for: seconds(until: remote.refreshTokenExpiresAt))
    }

    // MARK: Forms

    /// The token of the visitor's forms. Only this server can make it, and only for the cookie of the same browser.
    func formToken(in visit: CookieJar) -> String {
        let seed = visit[.form] ?? newSeed()
        if visit[.form] == nil { visit.set(.form, to: seed) }
        return code(of: seed, keyRing.current).base64URL
    }

    /// Whether a form has the token of this visitor; keys that were replaced count while they are valid.
    func isFormToken(_ token: String, of visit: CookieJar) -> Bool {
        guard let seed = visit[.form], let code = Data(base64URL: token) else { return false }
        return keyRing.all.contains { key in
            environment.digests.isHMACSHA256(code, of: Data(seed.utf8), key: keyRing.derivedKey("form", from: key))
        }
    }

    private func code(of seed: String, _ key: SigningKey) -> Data {
        environment.digests.hmacSHA256(Data(seed.utf8), key: keyRing.derivedKey("form", from: key))
    }

    private func newSeed() -> String { Data(environment.random.bytes(Self.formSeedBytes)).base64URL }

    /// A new idempotency key for a form.
    func newKey() -> String { Data(environment.random.bytes(16)).base64URL }
}
