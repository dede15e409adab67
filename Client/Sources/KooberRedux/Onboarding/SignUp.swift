import KooberKit
import PouchEntities

/// Sends the sign-up form, or reports an empty field. The mobile number may be empty. Blanks around every field but the
/// password are ignored.
@MainActor
struct SignUpUserInteractions {
    let submission: FormSubmission
    let userSessionRepository: any UserSessionRepository

    func signUp(name: String, email: String, mobileNumber: String, password: Secret) {
        let account = NewAccount(
            name: name.trimmed, email: email.trimmed, mobileNumber: mobileNumber.trimmed, password: password)
        guard !account.name.isEmpty, !account.email.isEmpty, !password.isEmpty else {
            return submission.refuse(
                ErrorMessage(title: "Sign-up failed", message: "Enter your name, your e-mail address and a password."))
        }
        submission.send { [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signUp(newAccount: account)
        }
    }
}
