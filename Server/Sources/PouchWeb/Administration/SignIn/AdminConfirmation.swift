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
    let fields: [Notice.Values.Field]
}

/// The confirmation of the password for a form of the administration that requires a recent sign-in, such as a refund.
/// The confirmation page contains all fields of the form, so the form need not be filled in again.
struct AdminConfirmation {
    private static let (password, code) = ("confirm.password", "confirm.code")

    /// The error that the password was not confirmed.
    private struct Unconfirmed: Error {
        let problem: RequestProblem
    }

    private let submission: Submission

    /// Wraps the effect of each form in the administration.
    static func around(_ submission: Submission, _ act: PageRoutes.Effect) async throws -> Response {
        do {
            return try await act(try await passed(submission))
        } catch {
            guard let page = try await AdminConfirmation(submission: submission).page(after: error) else { throw error }
            return try await submission.site.response(page, submission.visit)
        }
    }

    /// Checks the password in a form, if it has one.
    ///
    /// - Returns: the form without the password.
    private static func passed(_ submission: Submission) async throws -> Submission {
        guard let text = submission.form[password] else { return submission }
        let rest = FormBody(submission.form.fields.filter { ![password, code].contains($0.name) })
        var visit = submission.visit
        visit.form = rest
        let passed = Submission(site: submission.site, visit: visit, form: rest)
        var body: JSON = ["password": .string(text)]
        if let code = submission.form[code], !code.isEmpty { body["code"] = .string(code) }
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

    /// The page that asks for the password; nil for an unrelated error.
    private func page(after error: any Error) async throws -> PageContent? {
        let visit = submission.visit
        var failure = PageContent.Failure.none
        let status: ProblemCode
        if let error = error as? Unconfirmed {
            let text = ProblemText(
                texts: submission.site.texts(visit), language: visit.language, isSignedIn: true,
                form: submission.form)
            failure = .own(FormFailure(error.problem, text).errors(prefix: visit.part.inputPrefix))
            status = error.problem.code
        } else if RequestProblem(error)?.code == .freshSignInRequired {
            status = .freshSignInRequired
        } else {
            return nil
        }
        var content = try await content(visit)
        content.failure = failure
        content.status = .init(code: status.status)
        return content
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        guard let admin = try await AdminVisit.withoutPermissionCheck(submission.site, visit) else {
            throw Redirect(to: AdminPath.signIn)
        }
        let needsCode = try await admin.read { [admin] repositories in
            try SecondFactors(admin.site.environment).state(of: admin.principal, in: repositories).isEnabled
        }
        let fields = submission.form.fields.filter { !["csrf", "key", Self.password, Self.code].contains($0.name) }
        // A form's address redirects to its page.
        let values = AdminConfirmValues(
            reason: "You entered your password more than ten minutes ago.",
            action: visit.address, needsCode: needsCode, backURL: visit.address,
            fields: fields.map { .init(name: $0.name, value: $0.value) })
        return admin.framed(PageContent(values, title: "Confirm your password"))
    }
}
