import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON

/// A visitor's session: an API session stored in cookies.
struct WebSession: Sendable {
    let principal: Principal
    let accessToken: String
}

/// Stores sessions in cookies.
struct WebSessions: Sendable {
    let forms: FormTokens

    private let tokens: any AccessTokens
    private let issuer: SessionIssuer
    private let environment: DomainEnvironment

    init(_ services: ShopServices) {
        tokens = services.accessTokens
        issuer = services.issuer
        forms = FormTokens(services.environment)
        environment = services.environment
    }

    /// Returns the session in the cookies; nil without one. Replaces an expired access token; simultaneous requests
    /// from several tabs receive the same new session.
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

    /// Whether the refresh cookie does not belong to an account's session, active or ended; false without a cookie.
    func isOfGuest(_ visit: CookieJar) async throws -> Bool {
        guard let token = visit[.refresh] else { return false }
        let kind = try await issuer.kind(of: token)
        return kind == nil || kind == .guest
    }

    /// Stores a new session in the cookies. Keeps the token of forms: a form in one tab starts a guest's session, and
    /// the forms in other tabs stay valid.
    func begin(_ session: UserSession, in visit: CookieJar) async throws -> WebSession {
        store(session, in: visit)
        return WebSession(
            principal: try await tokens.verify(session.remoteSession.accessToken),
            accessToken: session.remoteSession.accessToken)
    }

    func end(in visit: CookieJar) {
        visit.remove(.access)
        visit.remove(.refresh)
        visit.remove(.cart)
        forms.renew(in: visit)
    }

    private func store(_ session: UserSession, in visit: CookieJar) {
        let now = environment.time.now
        func seconds(until date: Date) -> Int { max(1, Int(date.timeIntervalSince(now))) }
        let remote = session.remoteSession
        visit.set(.access, to: remote.accessToken, for: seconds(until: remote.accessTokenExpiresAt))
        visit.set(.refresh, to: remote.refreshToken, for: seconds(until: remote.refreshTokenExpiresAt))
    }
}
