import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// The customer's name, e-mail address and password.
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
        return AccountFrame(site: site, visit: visit).content(
            "profile", .profile, title: "profile-title",
            [
                "name": visit.typed("name", or: profile.name),
                "mobileNumber": visit.typed("mobileNumber", or: profile.mobileNumber), "email": profile.email,
            ])
    }

    func password(_ visit: Visit) async throws -> PageContent {
        AccountFrame(site: site, visit: visit).content(
            "password", .password, title: "password-title", ["email": try await stored(visit).email])
    }

    func email(_ visit: Visit) async throws -> PageContent {
        let profile = try await stored(visit)
        return AccountFrame(site: site, visit: visit).content(
            "email", .profile, title: "email",
            [
                "currentEmail": profile.email, "isVerified": profile.emailVerified == true,
                "email": visit.typed("email"),
            ])
    }
}
