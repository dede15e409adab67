import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// Signing up, in and out, and the confirmation of the password.
    func addSessionPages() {
        let pages = SessionPages(site: site)
        page("/sign-in", for: .anyone) { pages.signIn($0) }
        form("/sign-in", for: .anyone, showing: { pages.signIn($0) }) { submission in
            try await pages.begin(submission, by: Contract.signIn)
        }
        page("/sign-up", for: .anyone) { pages.signUp($0) }
        form("/sign-up", for: .anyone, showing: { pages.signUp($0) }) { submission in
            try await pages.begin(submission, by: Contract.signUp)
        }
        form("/sign-out", for: .anyone, showing: { pages.signIn($0) }) { try await pages.end($0) }

        page("/confirm", for: .customer) { try await pages.confirmation($0) }
        form("/confirm", for: .customer, showing: { try await pages.confirmation($0) }) { submission in
            try await submission.send(Contract.confirmSession)
            return Redirect(to: submission.visit.next ?? "/account")
        }
    }
}

/// The pages at which a session begins, ends, or is confirmed.
private struct SessionPages: Sendable {
    let site: Site

    func signIn(_ visit: Visit) -> PageContent {
        // The first answer to a right password asks for the code, which is no mistake.
        let code = visit.failure?.problem.code
        let isAsked = code == .secondFactorRequired
        var values: PageValues = [
            "signInAction": visit.passing(next: "/sign-in"), "signUpUrl": visit.passing(next: "/sign-up"),
            "email": visit.typed("email"), "needsCode": isAsked || visit.form?["code"] != nil,
        ]
        if isAsked { values["errors"] = false }
        return PageContent("sign-in", title: site.text("sign-in-title", visit), values)
    }

    func signUp(_ visit: Visit) -> PageContent {
        PageContent(
            "sign-up", title: site.text("sign-up-title", visit),
            [
                "signUpAction": visit.passing(next: "/sign-up"), "signInUrl": visit.passing(next: "/sign-in"),
                "name": visit.typed("name"), "email": visit.typed("email"),
                "mobileNumber": visit.typed("mobileNumber"),
            ])
    }

    /// Begins a session with new cookies. The cart and the orders of a guest move along, and an earlier session of an
    /// account in this browser ends, since nobody could end it here any more.
    func begin(_ submission: Submission, by exchange: any AnyExchange) async throws -> Redirect {
        let submission = try await submission.withSession()
        let visit = submission.visit
        let session = try UserSession(json: try await submission.send(exchange))
        if let earlier = visit.session?.principal, !earlier.isGuest {
            // It may have ended by itself.
            try? await site.services.accounts.signOut(earlier)
        }
        let new = try await site.sessions.begin(session, in: visit.cookies)
        let units = try? await site.services.store.read { repositories in
            try site.services.carts.cart(new.principal, in: repositories).cart.lines.reduce(0) { $0 + $1.quantity }
        }
        visit.cookies.set(.cart, to: units.map { $0 > 0 ? String($0) : "" } ?? "")
        return Redirect(to: visit.next ?? "/account")
    }

    func end(_ submission: Submission) async throws -> Redirect {
        let submission = try await submission.withSession()
        if let session = submission.visit.session {
            do {
                try await site.services.accounts.signOut(session.principal)
            } catch DomainError.unauthenticated {
                // Another browser has ended it, or a change of the password.
            }
        }
        site.sessions.end(in: submission.visit.cookies)
        submission.notice("signed-out")
        return Redirect(to: "/")
    }

    func confirmation(_ visit: Visit) async throws -> PageContent {
        let needsCode = try await site.read(visit) { [site] principal, repositories in
            try SecondFactors(site.environment).state(of: principal, in: repositories).isEnabled
        }
        return PageContent(
            "confirm", title: site.text("confirm-title", visit),
            ["confirmAction": visit.passing(next: "/confirm"), "needsCode": needsCode])
    }
}
