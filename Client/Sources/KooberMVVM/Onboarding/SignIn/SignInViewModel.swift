import Foundation
import KooberKit
import Observation
import PouchEntities

/// What somebody enters to sign in. Blanks around the e-mail address do not count.
@MainActor
@Observable
public final class SignInViewModel {
    public var email = ""
    public var password = Secret()
    private let userSessionRepository: any UserSessionRepository
    private let submission: FormSubmission

    public init(userSessionRepository: any UserSessionRepository, submission: FormSubmission) {
        self.userSessionRepository = userSessionRepository
        self.submission = submission
    }

    public var form: FormState { submission.form }
    public var errorMessages: ErrorMessages { submission.errorMessages }

    /// - Throws: `IllegalTransition` while the form is being sent.
    public func signIn() throws(IllegalTransition) {
        let (email, password) = (email.trimmingCharacters(in: .whitespacesAndNewlines), password)
        let isComplete = !email.isEmpty && !password.isEmpty
        try submission.send(unless: isComplete ? nil : .emptyField, by: #function) {
            [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signIn(email: email, password: password)
        }
    }
}

extension ErrorMessage {
    fileprivate static var emptyField: ErrorMessage {
        ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    }
}
