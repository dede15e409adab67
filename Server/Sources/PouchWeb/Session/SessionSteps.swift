import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension Submission {
    /// Begins a session with new cookies. The cart and the orders of a guest move along, except to the staff, and an
    /// earlier session of an account in this browser ends, since the visitor could no longer end it here.
    ///
    /// - Parameters:
    ///   - exchange: the sign-in or the sign-up.
    ///   - isForStaff: whether only a member of the staff may begin a session here.
    func beginSession(by exchange: any AnyExchange, isForStaff: Bool = false) async throws {
        let submission = try await withSession()
        let visit = submission.visit
        // The sign-in of a guest ends the guest's session, so it must not come before the kind of account is known.
        let session = try UserSession(json: try await (isForStaff ? self : submission).send(exchange))
        if isForStaff, session.kind != .admin {
            let token = session.remoteSession.accessToken
            try await site.services.accounts.signOut(site.services.accessTokens.verify(token))
            throw RequestProblem(.forbidden, "This is not a staff account. Use it to sign in to the shop instead.")
        }
        if let earlier = visit.session?.principal, !earlier.isGuest {
            // It may have ended by itself.
            try? await site.services.accounts.signOut(earlier)
        }
        let new = try await site.sessions.begin(session, in: visit.cookies)
        site.sessions.forms.renew(in: visit.cookies)
        let cart = try? await site.services.store.read { [site] repositories in
            try site.services.carts.cart(new.principal, in: repositories).cart
        }
        visit.cookies.keepUnits(of: cart)
    }

    /// Ends the session of the visitor, if there is one, with its cookies.
    func endSession() async throws {
        let submission = try await withSession()
        if let session = submission.visit.session {
            do {
                try await site.services.accounts.signOut(session.principal)
            } catch DomainError.unauthenticated {
                // Another browser has ended it, or a change of the password.
            }
        }
        site.sessions.end(in: submission.visit.cookies)
    }
}
