import KooberKit
import PouchEntities

/// Sends the sign-in form, or reports an empty field. Blanks around the e-mail address are ignored.
@MainActor
struct SignInUserInteractions {
    let submission: FormSubmission
    let userSessionRepository: any UserSessionRepository

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
