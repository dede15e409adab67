import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    /// Adds the page for the signed-in member's second factor, including members who can do nothing else without one.
    /// The responses to the forms show the secret and the recovery codes. The form for the first code contains the
    /// secret, which is shown again after a wrong code.
    func addAdminSecondFactor() {
        let page = admin("/admin/second-factor", nil) { try await AdminSecondFactor(admin: $0).content() }
        form("/admin/second-factor", for: .customer, showing: page) { submission, admin in
            let secret = try await submission.send(Contract.beginSecondFactor)
            return try await AdminSecondFactor(admin: admin).content(setup: .init(uri: secret.uri))
        }
        let again = PageRoute(page.path, framed { try await AdminSecondFactor(admin: $0).again() })
        form("/admin/second-factor/enable", for: .customer, showing: again) { submission, admin in
            let code: JSON = ["code": .string(submission.form["code"] ?? "")]
            let codes = try await submission.send(Contract.enableSecondFactor, code)
            return try await AdminSecondFactor(admin: admin).content(codes: codes.codes)
        }
        form("/admin/second-factor/remove", for: .customer, showing: page) { submission in
            try await submission.perform(Contract.removeSecondFactor)
            submission.tell("Two-factor authentication is off. You now sign in with your password only.")
            return Redirect(to: AdminPath.secondFactor)
        }
    }
}

struct AdminSecondFactorValues: PageModel {
    static let template = "admin-second-factor"

    /// A second factor that was not confirmed with a code yet.
    struct Setup: TemplateValues {
        let hasSecret: Bool
        /// The address for the app, with the secret; nil if only the app knows it.
        let uri: String?
        let secretText: String
    }

    let status: StatusValues
    let introText: String
    let hasCodes: Bool
    let recoveryCodes: [String]
    let setup: Setup?
    let canBegin, canRemove: Bool
    let beginLabel: String
}

extension AdminSecondFactorValues.Setup {
    init(uri: String?) {
        let items = uri.flatMap { URLComponents(string: $0) }?.queryItems
        let secret = items?.first { $0.name == "secret" }?.value ?? ""
        let groups = stride(from: 0, to: secret.count, by: 4).map { String(secret.dropFirst($0).prefix(4)) }
        self.init(hasSecret: uri != nil, uri: uri, secretText: groups.joined(separator: " "))
    }
}

/// Creates the page of a member's own second factor.
struct AdminSecondFactor {
    let admin: AdminVisit

    /// The page after a wrong first code.
    func again() async throws -> PageContent {
        let uri = admin.visit.form?["uri"].flatMap { $0.hasPrefix("otpauth://") ? $0 : nil }
        var content = try await content(setup: .init(uri: uri))
        if var failure = admin.visit.failure, failure.problem.code == .secondFactorInvalid {
            // There are no recovery codes yet.
            failure.summary = "The code is wrong. Wait for the next code in the app."
            content.failure = .own(failure.errors(prefix: admin.visit.part.inputPrefix))
        }
        return content
    }

    /// - Parameter codes: the recovery codes, which are shown only once.
    func content(setup: AdminSecondFactorValues.Setup? = nil, codes: [String] = []) async throws -> PageContent {
        let environment = admin.site.environment
        let factor = try await admin.read { [principal = admin.principal] repositories in
            try SecondFactors(environment).state(of: principal, in: repositories)
        }
        let isMissing = factor.isRequired == true && !factor.isEnabled
        let intro =
            isMissing
            ? "This shop requires two-factor authentication for all staff. Set it up to continue."
            : factor.isEnabled
                ? "You sign in with your password and a code. \(left(factor.recoveryCodesLeft))"
                : "Adds a code from your authenticator app to your password when you sign in."
        let status =
            factor.isEnabled
            ? StatusTone.good.status("On") : (isMissing ? StatusTone.warn : .plain).status("Off")
        let values = AdminSecondFactorValues(
            status: status, introText: intro, hasCodes: !codes.isEmpty, recoveryCodes: codes, setup: setup,
            canBegin: !factor.isEnabled, canRemove: factor.isEnabled && codes.isEmpty,
            beginLabel: setup == nil ? "Set up two-factor authentication" : "Start again with a new secret")
        return PageContent(values, title: "Two-factor authentication")
    }

    private func left(_ count: Int) -> String {
        admin.count(count, "recovery code is left.", "recovery codes are left.")
    }
}
