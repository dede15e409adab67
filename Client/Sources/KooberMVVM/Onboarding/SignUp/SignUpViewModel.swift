import Foundation
import KooberKit
import Observation
import PouchEntities

/// What somebody enters to make an account. Blanks around it do not count, save those of the password.
@MainActor
@Observable
public final class SignUpViewModel {
    public var name = ""
    public var email = ""
    /// May stay empty.
    public var mobileNumber = ""
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
    public func signUp() throws(IllegalTransition) {
        let account = NewAccount(
            name: name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: email.trimmingCharacters(in: .whitespacesAndNewlines),
            mobileNumber: mobileNumber.trimmingCharacters(in: .whitespacesAndNewlines), password: password)
        let isComplete = !account.name.isEmpty && !account.email.isEmpty && !account.password.isEmpty
        try submission.send(unless: isComplete ? nil : .emptyField, by: #function) {
            [userSessionRepository] () async throws(ErrorMessage) in
            try await userSessionRepository.signUp(newAccount: account)
        }
    }
}

extension ErrorMessage {
    fileprivate static var emptyField: ErrorMessage {
        ErrorMessage(
            title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")
    }
}
