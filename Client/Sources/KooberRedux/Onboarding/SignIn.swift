import KooberKit
import PouchEntities

/// Sends the sign-in form, or reports an empty field. Blanks around the e-mail address are ignored.
@MainActor
final class SignInUserInteractions {
    private let submission: FormSubmission
    private let userSessionRepository: any UserSessionRepository

    init(submission: FormSubmission, userSessionRepository: any UserSessionRepository) {
        self.submission = submission
        self.userSessionRepository = userSessionRepository
    }

    func signIn(email: String, password: Secret) {
        let email = email.trimmed
        guard !email.isEmpty, !password.isEmpty else {
            return submission.refuse(
                ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password."))
        }
        submission.send { [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signIn(email: email, password: password)
        }
    }
}
