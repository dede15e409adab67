import Foundation
import Hummingbird
import PouchContract
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

struct ResetRequestValues: PageModel {
    static let template = "reset-request"

    let email: String
}

struct ResetPasswordValues: PageModel {
    static let template = "reset-password"

    let token: String
}

struct VerifyEmailValues: PageModel {
    static let template = "verify-email"

    let token: String
}

struct JoinStaffValues: PageModel {
    static let template = "join-staff"

    let token, name: String
}

extension PageRoutes {
    /// Adds the pages for links in e-mails. A link has its token after the `#`, which browsers do not send to servers:
    /// the page's script copies it into the form, or the person pastes the link.
    func addMailLinkPages() {
        let request = page("/reset-password/request", for: .anyone) { [site] visit in
            PageContent(ResetRequestValues(email: visit.typed("email")), title: site.text("reset-title", visit))
        }
        // Like the API's response, the next page is the same for an address without an account.
        form(
            "/reset-password/request", does: Contract.requestPasswordReset, then: "/reset-password",
            notice: "reset-sent", showing: request)

        let reset = page("/reset-password", for: .anyone) { [site] visit in
            PageContent(ResetPasswordValues(token: visit.typed("token")), title: site.text("reset-title", visit))
        }
        form("/reset-password", for: .anyone, showing: reset) { submission in
            try await submission.perform(Contract.resetPassword, submission.jsonWithToken)
            submission.notice("password-reset")
            return Redirect(to: "/sign-in")
        }

        let verify = page("/verify-email", for: .anyone) { [site] visit in
            PageContent(VerifyEmailValues(token: visit.typed("token")), title: site.text("verify-title", visit))
        }
        form("/verify-email", for: .anyone, showing: verify) { submission in
            try await submission.perform(Contract.verifyEmail, submission.jsonWithToken)
            submission.notice("email-verified")
            return Redirect(to: "/account")
        }

        let join = page("/join-staff", for: .anyone) { [site] visit in
            PageContent(
                JoinStaffValues(token: visit.typed("token"), name: visit.typed("name")),
                title: site.text("join-title", visit))
        }
        form("/join-staff", for: .anyone, showing: join) { submission in
            try await submission.perform(Contract.acceptInvitation, submission.jsonWithToken)
            // In English, like the page that shows it.
            submission.tell("Welcome! Sign in to get started.")
            return Redirect(to: AdminPath.signIn)
        }
    }
}

extension Submission {
    /// The body of the request, with only the token if a person has pasted the whole link.
    fileprivate var jsonWithToken: JSON {
        var json = json
        let token = (form["token"] ?? "").split(separator: "#").last ?? ""
        json["token"] = .string(token.trimmingCharacters(in: .whitespacesAndNewlines))
        return json
    }
}
