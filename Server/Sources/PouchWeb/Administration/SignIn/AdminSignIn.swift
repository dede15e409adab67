import Hummingbird
import PouchContract
import PouchHTTP
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the pages and forms to sign in to the administration, and to sign out.
    func addAdminSignIn() {
        let signIn = page("/admin/sign-in", for: .anyone) { [site] in AdminSignIn(site: site, visit: $0).content }
        form("/admin/sign-in", for: .anyone, showing: signIn) { submission in
            try await submission.beginSession(by: Contract.signIn, isForStaff: true)
            return Redirect(to: submission.visit.next ?? AdminPath.today)
        }
        form("/admin/sign-out", for: .anyone, showing: signIn) { submission in
            try await submission.endSession()
            submission.tell("You are signed out.")
            return Redirect(to: AdminPath.signIn)
        }
    }
}

struct AdminSignInValues: PageModel {
    static let template = "admin-sign-in"

    let action, email: String
    let needsCode: Bool
    let forgotURL: String
}

/// The page where staff sign in.
struct AdminSignIn {
    let site: Site
    let visit: Visit

    var content: PageContent {
        var content = PageContent(
            AdminSignInValues(
                action: visit.passing(next: AdminPath.signIn), email: visit.typed("email"),
                needsCode: visit.isAskedForCode || visit.form?["code"] != nil, forgotURL: "/reset-password/request"),
            title: "Sign in")
        if visit.isAskedForCode {
            content.failure = .none
            content.notice = Notice("Now enter the code from your authenticator app.")
        }
        return content.framed(site, visit)
    }
}
