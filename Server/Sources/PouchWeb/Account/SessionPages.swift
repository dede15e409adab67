import Foundation
import Hummingbird
import PouchContract
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

struct SignInValues: PageModel {
    let signInAction, signUpUrl, email: String
    let needsCode: Bool
    /// Whether the visitor comes from an order's address.
    let isForOrder: Bool
}

struct SignUpValues: PageModel {
    let signUpAction, signInUrl, name, email, mobileNumber: String
}

extension PageRoutes {
    /// Adds the pages and forms to sign up, in and out.
    func addSessionPages() {
        let signIn = page("/sign-in", for: .anyone) { visit in
            let values = SignInValues(
                signInAction: visit.passing(next: "/sign-in"), signUpUrl: visit.passing(next: "/sign-up"),
                email: visit.enteredValue("email"), needsCode: visit.isAskedForCode || visit.form?["code"] != nil,
                // A browser without the guest's session cannot open a guest's order.
                isForOrder: visit.query("next")?.hasPrefix("/orders/") ?? false)
            return PageContent(
                values, title: visit.text("sign-in-title"), failure: visit.isAskedForCode ? .none : .ofVisit)
        }
        addSession("/sign-in", by: Contract.signIn, showing: signIn)
        let signUp = page("/sign-up", for: .anyone) { visit in
            let values = SignUpValues(
                signUpAction: visit.passing(next: "/sign-up"), signInUrl: visit.passing(next: "/sign-in"),
                name: visit.enteredValue("name"), email: visit.enteredValue("email"),
                mobileNumber: visit.enteredValue("mobileNumber"))
            return PageContent(values, title: visit.text("sign-up-title"))
        }
        addSession("/sign-up", by: Contract.signUp, showing: signUp)
        form("/sign-out", for: .anyone, showing: signIn) { submission in
            try await submission.endSession()
            submission.notice("signed-out")
            return Redirect(to: "/sign-in")
        }
    }

    private func addSession<Input>(
        _ path: RouterPath, by exchange: Exchange<Input, UserSession>, showing page: PageRoute
    ) {
        form(path, for: .anyone, showing: page) { submission in
            try await submission.beginSession(by: exchange)
            return Redirect(to: submission.visit.next ?? "/account")
        }
    }
}

extension Visit {
    /// Whether the password was correct and the second factor's code is missing. The first response to a correct
    /// password asks for the code, which is not an error.
    var isAskedForCode: Bool { failure?.problem.code == .secondFactorRequired }

    /// The path on this server to go to after a form, from the address.
    var next: String? { Redirect.localPath(query("next")) }

    /// The path of a form or page that leads on to the same path.
    func passing(next path: String) -> String { PagePath.adding([("next", next)], to: path) }
}

// MARK: Links in e-mails

struct ResetRequestValues: PageModel {
    let email: String
}

struct ResetPasswordValues: PageModel {
    let token: String
}

struct VerifyEmailValues: PageModel {
    let token: String
}

struct JoinStaffValues: PageModel {
    let token, name: String
}

extension PageRoutes {
    /// Adds the pages for links in e-mails. A link has its token after the `#`, which browsers do not send to servers:
    /// the page's script copies it into the form, or the person pastes the link.
    func addMailLinkPages() {
        let request = page("/reset-password/request", for: .anyone) { visit in
            PageContent(ResetRequestValues(email: visit.enteredValue("email")), title: visit.text("reset-title"))
        }
        // Like the API's response, the next page is the same for an address without an account.
        form(
            "/reset-password/request", does: Contract.requestPasswordReset, then: "/reset-password",
            notice: "reset-sent", showing: request)
        addLink("/reset-password", title: "reset-title", to: Contract.resetPassword, then: "/sign-in") {
            ResetPasswordValues(token: $0.enteredValue("token"))
        } telling: {
            $0.notice("password-reset")
        }
        addLink("/verify-email", title: "verify-title", to: Contract.verifyEmail, then: "/account") {
            VerifyEmailValues(token: $0.enteredValue("token"))
        } telling: {
            $0.notice("email-verified")
        }
        addLink("/join-staff", title: "join-title", to: Contract.acceptInvitation, then: AdminPath.signIn) {
            JoinStaffValues(token: $0.enteredValue("token"), name: $0.enteredValue("name"))
        } telling: {
            // In English, like the page that shows it.
            $0.tell("Welcome! Sign in to get started.")
        }
    }

    /// Adds a page with a form that sends the token of a link.
    ///
    /// - Parameters:
    ///   - title: the key of the title's text.
    ///   - next: the path of the next page, which shows the notice.
    private func addLink<Values: PageModel>(
        _ path: RouterPath, title: String, to exchange: any AnyExchange, then next: String,
        _ values: @escaping @Sendable (Visit) -> Values, telling notice: @escaping @Sendable (Submission) -> Void
    ) {
        let page = page(path, for: .anyone) { PageContent(values($0), title: $0.text(title)) }
        form(path, for: .anyone, showing: page) { submission in
            var json = submission.json
            json["token"] = .string(submission.visit.linkToken)
            try await submission.perform(exchange, json)
            notice(submission)
            return Redirect(to: next)
        }
    }
}

extension Visit {
    /// The token of a link in the form: the part after the `#`, or the whole text if only the token was pasted.
    var linkToken: String {
        let pasted = enteredValue("token").trimmingCharacters(in: .whitespacesAndNewlines)
        return pasted.split(separator: "#").last?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    }
}
