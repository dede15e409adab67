import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

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
            try await site.services.accounts.signOut(site.services.accessTokens.verify(token))
            throw RequestProblem(.forbidden, "This is not a staff account. Use it to sign in to the shop instead.")
        }
        if let earlier = visit.session?.principal, !earlier.isGuest {
            // It may already have ended.
            try? await site.services.accounts.signOut(earlier)
        }
        let new = try await site.sessions.begin(session, in: visit.cookies)
        site.sessions.forms.renew(in: visit.cookies)
        let cart = try? await site.services.store.read { [site] repositories in
            try site.services.carts.cart(new.principal, in: repositories).cart
        }
        visit.cookies.keepUnits(of: cart)
    }

    /// Ends the visitor's session, if there is one, and removes its cookies.
    func endSession() async throws {
        let submission = try await withSession()
        if let session = submission.visit.session {
            do {
                try await site.services.accounts.signOut(session.principal)
            } catch DomainError.unauthenticated {
                // Another browser, or a change of the password, has already ended it.
            }
        }
        site.sessions.end(in: submission.visit.cookies)
    }
}
