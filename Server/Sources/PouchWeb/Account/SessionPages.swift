import Hummingbird
import PouchContract
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct SignInValues: PageModel {
    static let template = "sign-in"

    let signInAction, signUpUrl, email: String
    let needsCode: Bool
    /// Whether the visitor comes from an order's address.
    let isForOrder: Bool
}

struct SignUpValues: PageModel {
    static let template = "sign-up"

    let signUpAction, signInUrl, name, email, mobileNumber: String
}

extension PageRoutes {
    /// Adds the pages and forms to sign up, in and out.
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
    }
}

/// The pages that start or end a session.
private struct SessionPages: Sendable {
    let site: Site

    func signIn(_ visit: Visit) -> PageContent {
        // The first response to a correct password asks for the code, which is not an error.
        let isAsked = visit.failure?.problem.code == .secondFactorRequired
        let values = SignInValues(
            signInAction: visit.passing(next: "/sign-in"), signUpUrl: visit.passing(next: "/sign-up"),
            email: visit.typed("email"), needsCode: isAsked || visit.form?["code"] != nil,
            // A browser without the guest's session cannot open a guest's order.
            isForOrder: visit.query("next")?.hasPrefix("/orders/") ?? false)
        var content = PageContent(values, title: site.text("sign-in-title", visit))
        if isAsked { content.failure = .none }
        return content
    }

    func signUp(_ visit: Visit) -> PageContent {
        let values = SignUpValues(
            signUpAction: visit.passing(next: "/sign-up"), signInUrl: visit.passing(next: "/sign-in"),
            name: visit.typed("name"), email: visit.typed("email"), mobileNumber: visit.typed("mobileNumber"))
        return PageContent(values, title: site.text("sign-up-title", visit))
    }

    func begin<Input>(_ submission: Submission, by exchange: Exchange<Input, UserSession>) async throws -> Redirect {
        try await submission.beginSession(by: exchange)
        return Redirect(to: submission.visit.next ?? "/account")
    }

    func end(_ submission: Submission) async throws -> Redirect {
        try await submission.endSession()
        submission.notice("signed-out")
        return Redirect(to: "/sign-in")
    }
}
