import Foundation
import Hummingbird
import PouchContract
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// The pages behind the links of mails. A link has its token behind the `#`, which browsers send to no server: the
    /// page's script puts it into the form, or the person pastes the link.
    func addMailLinkPages() {
        let pages = MailLinkPages(site: site)
        let request = page("/reset-password/request", for: .anyone) { visit in
            pages.content("reset-request", title: "reset-title", visit, ["email": visit.typed("email")])
        }
        // The next page is the same for an address without an account, as the API's answer is.
        form(
            "/reset-password/request", does: Contract.requestPasswordReset, then: "/reset-password",
            notice: "reset-sent", showing: request)

        let reset = page("/reset-password", for: .anyone) { pages.token("reset-password", title: "reset-title", $0) }
        form("/reset-password", for: .anyone, showing: reset) { submission in
            try await submission.send(Contract.resetPassword, pages.json(submission))
            submission.notice("password-reset")
            return Redirect(to: "/sign-in")
        }

        let verify = page("/verify-email", for: .anyone) { pages.token("verify-email", title: "verify-title", $0) }
        form("/verify-email", for: .anyone, showing: verify) { submission in
            try await submission.send(Contract.verifyEmail, pages.json(submission))
            submission.notice("email-verified")
            return Redirect(to: "/account")
        }

        let join = page("/join-staff", for: .anyone) { visit in
            pages.token("join-staff", title: "join-title", visit, ["name": visit.typed("name")])
        }
        form("/join-staff", for: .anyone, showing: join) { submission in
            try await submission.send(Contract.acceptInvitation, pages.json(submission))
            // In English, as the page that shows it.
            submission.tell("Welcome! Sign in to begin.")
            return Redirect(to: AdminPath.signIn)
        }
    }
}

private struct MailLinkPages: Sendable {
    let site: Site

    func content(_ template: String, title: String, _ visit: Visit, _ values: PageValues) -> PageContent {
        PageContent(template, title: site.text(title, visit), values)
    }

    func token(_ template: String, title: String, _ visit: Visit, _ values: PageValues = [:]) -> PageContent {
        content(template, title: title, visit, values.merging(["token": visit.typed("token")]) { $1 })
    }

    /// The body of the request, with the token alone where a person has pasted the whole link.
    func json(_ submission: Submission) -> JSON {
        var json = submission.json
        let pasted = submission.form["token"] ?? ""
        let token = pasted.split(separator: "#").last ?? ""
        json["token"] = .string(token.trimmingCharacters(in: .whitespacesAndNewlines))
        return json
    }
}
