import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire
import Synchronization

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
            return try await begin(try await issuer.refresh(refreshToken, from: origin), in: visit)
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

extension Submission {
    /// Starts a session with new cookies. A guest's cart and orders move to the account, except for staff accounts. An
    /// earlier account session in this browser ends, because the visitor could no longer end it here.
    ///
    /// - Parameters:
    ///   - exchange: the sign-in or the sign-up.
    ///   - isForStaff: whether only staff members may start a session here.
    func beginSession<Input>(by exchange: Exchange<Input, UserSession>, isForStaff: Bool = false) async throws {
        let submission = try await withSession()
        let visit = submission.visit
        // A guest's sign-in ends the guest's session, so it must not happen before the kind of account is known.
        let session = try await (isForStaff ? self : submission).send(exchange)
        if isForStaff, session.kind != .admin {
            let token = session.remoteSession.accessToken
            try await visit.site.services.accounts.signOut(visit.site.services.accessTokens.verify(token))
            throw RequestProblem(.forbidden, "This is not a staff account. Use it to sign in to the shop instead.")
        }
        if let earlier = visit.session?.principal, !earlier.isGuest {
            // It may already have ended.
            try? await visit.site.services.accounts.signOut(earlier)
        }
        let new = try await visit.site.sessions.begin(session, in: visit.cookies)
        visit.site.sessions.forms.renew(in: visit.cookies)
        let cart = try? await visit.site.services.store.read { repositories in
            try visit.site.services.carts.cart(new.principal, in: repositories).cart
        }
        visit.cookies.keepUnits(of: cart)
    }

    /// Ends the visitor's session, if there is one, and removes its cookies.
    func endSession() async throws {
        let submission = try await withSession()
        if let session = submission.visit.session {
            do {
                try await visit.site.services.accounts.signOut(session.principal)
            } catch DomainError.unauthenticated {
                // Another browser, or a change of the password, has already ended it.
            }
        }
        visit.site.sessions.end(in: submission.visit.cookies)
    }
}

/// Creates the tokens that prove that a form is from a page of this shop, and the idempotency keys of forms.
///
/// The token is random. It is in a cookie and in each form of a page, and a form is accepted if both match: another
/// site can neither read the cookie nor, with TLS, set it. A signature would not add security: an attacker who can set
/// the cookie can set one that this shop has signed.
struct FormTokens: Sendable {
    private static let bytes = 24

    private let environment: DomainEnvironment
    private let keys: FormKeys

    init(_ environment: DomainEnvironment) {
        self.environment = environment
        keys = FormKeys(Data(environment.random.bytes(12)).base64URL)
    }

    /// The token of the visitor's forms.
    func token(in cookies: CookieJar) -> String {
        if let token = cookies[.form], Self.isWellFormed(token) { return token }
        return renew(in: cookies)
    }

    /// Replaces the token. Earlier forms are refused, so that a token that an attacker knew before a sign-in becomes
    /// useless.
    @discardableResult
    func renew(in cookies: CookieJar) -> String {
        let token = Data(environment.random.bytes(Self.bytes)).base64URL
        cookies.set(.form, to: token)
        return token
    }

    /// Whether a form has this visitor's token.
    func accepts(_ token: String, of cookies: CookieJar) -> Bool {
        guard let own = cookies[.form], Self.isWellFormed(own) else { return false }
        return environment.digests.isEqual(Data(token.utf8), Data(own.utf8))
    }

    /// Whether the value of a cookie, which can be anything, is a well-formed token. Pages contain it without escaping.
    private static func isWellFormed(_ token: String) -> Bool {
        ByteAlphabet.base64URL.bytes(token.utf8)?.count == bytes
    }

    /// A new idempotency key for the forms of a page.
    func newKey() -> String { keys.next() }
}

/// Creates unique idempotency keys. They need not be secret: a key applies only to its owner.
private final class FormKeys: Sendable {
    private let process: String
    private let count = Atomic<UInt64>(0)

    /// - Parameter process: a random text that differs for each process.
    init(_ process: String) {
        self.process = process
    }

    func next() -> String {
        process + "-" + String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    }
}
