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
    /// Adds the pages and forms to sign in to the administration, and to sign out.
    func addAdminSignIn() {
        let signIn = page("/admin/sign-in", for: .anyone) { visit in
            let values = AdminSignInValues(
                action: visit.passing(next: AdminPath.signIn), email: visit.enteredValue("email"),
                needsCode: visit.isAskedForCode || visit.form?["code"] != nil, forgotURL: "/reset-password/request")
            var content = PageContent(values, title: "Sign in")
            if visit.isAskedForCode {
                content.failure = .none
                content.notice = Notice("Now enter the code from your authenticator app.")
            }
            return content.framed(visit)
        }
        form("/admin/sign-in", for: .anyone, showing: signIn) { submission in
            try await submission.beginSession(by: Contract.signIn, isForStaff: true)
            return Redirect(to: submission.visit.next ?? AdminSection.today.path)
        }
        form("/admin/sign-out", for: .anyone, showing: signIn) { submission in
            try await submission.endSession()
            submission.tell("You are signed out.")
            return Redirect(to: AdminPath.signIn)
        }
    }
}

struct AdminSignInValues: PageModel {
    let action, email: String
    let needsCode: Bool
    let forgotURL: String
}

struct AdminConfirmValues: PageModel {
    let reason, action: String
    let needsCode: Bool
    let backURL: String
    /// The fields of the form that requires the password.
    let fields: [HiddenField]
}

/// The confirmation of the password for a form of the administration that requires a recent sign-in, such as a refund.
/// The confirmation page contains all fields of the form, so the form need not be filled in again.
enum AdminConfirmation {
    /// The error that the password was not confirmed.
    private struct Unconfirmed: Error {
        let problem: RequestProblem
    }

    /// Wraps the effect of each form in the administration.
    static func around(_ submission: Submission, _ act: PageRoutes.Effect) async throws -> Response {
        do {
            return try await act(try await passed(submission))
        } catch let error as Unconfirmed {
            let visit = submission.visit
            let text = ProblemText(
                texts: visit.texts, language: visit.language, isSignedIn: true, form: submission.form)
            let errors = FormFailure(error.problem, text).errors(prefix: visit.part.inputPrefix)
            return try await page(submission, .own(errors), status: error.problem.code)
        } catch let error where RequestProblem(error)?.code == .freshSignInRequired {
            return try await page(submission, .none, status: .freshSignInRequired)
        }
    }

    /// Checks the password in a form, if it has one.
    ///
    /// - Returns: the form without the password.
    private static func passed(_ submission: Submission) async throws -> Submission {
        guard let text = submission.form["confirm.password"] else { return submission }
        var passed = submission
        passed.visit.form = submission.form.without(["confirm"])
        var body: JSON = ["password": .string(text)]
        if let code = submission.form["confirm.code"], !code.isEmpty { body["code"] = .string(code) }
        do {
            try await passed.perform(Contract.confirmSession, body)
        } catch {
            guard let problem = RequestProblem(error), ![.unauthenticated, .tokenExpired].contains(problem.code) else {
                throw error
            }
            throw Unconfirmed(problem: problem)
        }
        return passed
    }

    /// The page that asks for the password.
    private static func page(
        _ submission: Submission, _ failure: PageContent.Failure, status: ProblemCode
    ) async throws -> Response {
        let visit = submission.visit
        guard let admin = try await AdminVisit.withoutPermissionCheck(visit) else {
            throw Redirect(to: AdminPath.signIn)
        }
        let needsCode = try await admin.read { [principal = admin.principal] repositories in
            try SecondFactors(visit.site.environment).state(of: principal, in: repositories).isEnabled
        }
        let fields = submission.form.without(["csrf", "key", "confirm"]).fields
        // A form's address redirects to its page.
        let values = AdminConfirmValues(
            reason: "You entered your password more than ten minutes ago.", action: visit.address,
            needsCode: needsCode, backURL: visit.address, fields: fields.map { HiddenField($0.name, $0.value) })
        var content = PageContent(values, title: "Confirm your password")
        content.failure = failure
        content.status = .init(code: status.status)
        return try await visit.site.response(admin.framed(content), visit)
    }
}

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
        form(
            "/admin/second-factor/remove", does: Contract.removeSecondFactor, then: AdminPath.secondFactor,
            telling: "Two-factor authentication is off. You now sign in with your password only.", showing: page)
    }
}

struct AdminSecondFactorValues: PageModel {
    /// A second factor that was not confirmed with a code yet.
    struct Setup: TemplateValues {
        /// The address for the app, with the secret; nil if only the app knows it.
        let uri: String?
        let secretText: String
    }

    let status: StatusValues
    let introText: String
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
        self.init(uri: uri, secretText: groups.joined(separator: " "))
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
            status: status, introText: intro, recoveryCodes: codes, setup: setup,
            canBegin: !factor.isEnabled, canRemove: factor.isEnabled && codes.isEmpty,
            beginLabel: setup == nil ? "Set up two-factor authentication" : "Start again with a new secret")
        return PageContent(values, title: "Two-factor authentication")
    }

    private func left(_ count: Int) -> String {
        admin.count(count, "recovery code is left.", "recovery codes are left.")
    }
}
