import Foundation
import Hummingbird
import PouchContract
import PouchHTTP
import PouchJSON
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
    /// The pages behind the links of mails. A link has its token behind the `#`, which browsers send to no server: the
    /// page's script puts it into the form, or the person pastes the link.
    func addMailLinkPages() {
        let request = page("/reset-password/request", for: .anyone) { [site] visit in
            PageContent(ResetRequestValues(email: visit.typed("email")), title: site.text("reset-title", visit))
        }
        // The next page is the same for an address without an account, as the API's answer is.
        form(
            "/reset-password/request", does: Contract.requestPasswordReset, then: "/reset-password",
            notice: "reset-sent", showing: request)

        let reset = page("/reset-password", for: .anyone) { [site] visit in
            PageContent(ResetPasswordValues(token: visit.typed("token")), title: site.text("reset-title", visit))
        }
        form("/reset-password", for: .anyone, showing: reset) { submission in
            try await submission.send(Contract.resetPassword, submission.jsonWithToken)
            submission.notice("password-reset")
            return Redirect(to: "/sign-in")
        }

        let verify = page("/verify-email", for: .anyone) { [site] visit in
            PageContent(VerifyEmailValues(token: visit.typed("token")), title: site.text("verify-title", visit))
        }
        form("/verify-email", for: .anyone, showing: verify) { submission in
            try await submission.send(Contract.verifyEmail, submission.jsonWithToken)
            submission.notice("email-verified")
            return Redirect(to: "/account")
        }

        let join = page("/join-staff", for: .anyone) { [site] visit in
            PageContent(
                JoinStaffValues(token: visit.typed("token"), name: visit.typed("name")),
                title: site.text("join-title", visit))
        }
        form("/join-staff", for: .anyone, showing: join) { submission in
            try await submission.send(Contract.acceptInvitation, submission.jsonWithToken)
            // In English, as the page that shows it.
            submission.tell("Welcome! Sign in to get started.")
            return Redirect(to: AdminPath.signIn)
        }
    }
}

extension Submission {
    /// The body of the request, with the token alone where a person has pasted the whole link.
    fileprivate var jsonWithToken: JSON {
        var json = json
        let token = (form["token"] ?? "").split(separator: "#").last ?? ""
        json["token"] = .string(token.trimmingCharacters(in: .whitespacesAndNewlines))
        return json
    }
}
