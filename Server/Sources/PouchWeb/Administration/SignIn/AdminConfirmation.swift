import Foundation
import HTTPTypes
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

struct AdminConfirmValues: PageModel {
    static let template = "admin-confirm"

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
                texts: submission.site.texts(visit), language: visit.language, isSignedIn: true, form: submission.form)
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
        let (site, visit) = (submission.site, submission.visit)
        guard let admin = try await AdminVisit.withoutPermissionCheck(site, visit) else {
            throw Redirect(to: AdminPath.signIn)
        }
        let needsCode = try await admin.read { [principal = admin.principal] repositories in
            try SecondFactors(site.environment).state(of: principal, in: repositories).isEnabled
        }
        let fields = submission.form.without(["csrf", "key", "confirm"]).fields
        // A form's address redirects to its page.
        let values = AdminConfirmValues(
            reason: "You entered your password more than ten minutes ago.", action: visit.address,
            needsCode: needsCode, backURL: visit.address, fields: fields.map { HiddenField($0.name, $0.value) })
        var content = PageContent(values, title: "Confirm your password")
        content.failure = failure
        content.status = .init(code: status.status)
        return try await site.response(admin.framed(content), visit)
    }
}
