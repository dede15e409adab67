import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Signing up, in and out, and the confirmation of the password.
    func addSessionPages() {
        let pages = SessionPages(site: site)
        let signIn = page("/sign-in", for: .anyone) { pages.signIn($0) }
        form("/sign-in", for: .anyone, showing: signIn) { submission in
            try await pages.begin(submission, by: Contract.signIn)
        }
        let signUp = page("/sign-up", for: .anyone) { pages.signUp($0) }
        form("/sign-up", for: .anyone, showing: signUp) { submission in
            try await pages.begin(submission, by: Contract.signUp)
        }
        form("/sign-out", for: .anyone, showing: signIn) { try await pages.end($0) }

        let confirmation = page("/confirm", for: .customer) { try await pages.confirmation($0) }
        form("/confirm", for: .customer, showing: confirmation) { submission in
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

    func begin(_ submission: Submission, by exchange: any AnyExchange) async throws -> Redirect {
        try await submission.beginSession(by: exchange)
        return Redirect(to: submission.visit.next ?? "/account")
    }

    func end(_ submission: Submission) async throws -> Redirect {
        try await submission.endSession()
        submission.notice("signed-out")
        return Redirect(to: "/sign-in")
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
