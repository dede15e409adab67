import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct ProfileValues: PageModel {
    static let template = "profile"

    let name, mobileNumber, email: String
}

struct PasswordValues: PageModel {
    static let template = "password"

    let email: String
}

struct EmailValues: PageModel {
    static let template = "email"

    let currentEmail: String
    let isVerified: Bool
    /// The new address.
    let email: String
}

extension PageRoutes {
    /// Adds the pages with the customer's name, e-mail address and password.
    func addProfilePages() {
        let pages = ProfilePages(site: site)
        let profile = page("/account/profile", for: .customer) { try await pages.profile($0) }
        form(
            "/account/profile", does: Contract.updateProfile, then: "/account/profile", notice: "profile-saved",
            showing: profile)

        let password = page("/account/password", for: .customer) { try await pages.password($0) }
        form(
            "/account/password", does: Contract.changePassword, then: "/account", notice: "password-changed",
            showing: password)

        let email = page("/account/email", for: .customer) { try await pages.email($0) }
        form(
            "/account/email", does: Contract.changeEmail, then: "/account/email", notice: "email-change-sent",
            showing: email)
        form(
            "/account/email/verification", does: Contract.requestVerification, then: "/account/email",
            notice: "verification-sent", showing: email)
    }
}

private struct ProfilePages: Sendable {
    let site: Site

    private func stored(_ visit: Visit) async throws -> Profile {
        try await site.read(visit) { [site] principal, repositories in
            try site.services.accounts.profile(principal, in: repositories)
        }
    }

    func profile(_ visit: Visit) async throws -> PageContent {
        let profile = try await stored(visit)
        let values = ProfileValues(
            name: visit.typed("name", or: profile.name),
            mobileNumber: visit.typed("mobileNumber", or: profile.mobileNumber), email: profile.email)
        return site.accountPage(values, .profile, title: "profile-title", visit)
    }

    func password(_ visit: Visit) async throws -> PageContent {
        let values = PasswordValues(email: try await stored(visit).email)
        return site.accountPage(values, .password, title: "password-title", visit)
    }

    func email(_ visit: Visit) async throws -> PageContent {
        let profile = try await stored(visit)
        let values = EmailValues(
            currentEmail: profile.email, isVerified: profile.emailVerified == true, email: visit.typed("email"))
        return site.accountPage(values, .profile, title: "email", visit)
    }
}
