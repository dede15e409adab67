import Foundation
import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The input of the sign-up form. Blanks around every field but the password are ignored.
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
        ErrorMessage(title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")
    }
}

final class SignUpViewController: ModelViewController<SignUpViewModel>, ViewController {
    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen.Content { .signUp(FormScreen(viewModel.form)) }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        guard case .signUp(let name, let email, let mobileNumber, let password) = intention else { return }
        viewModel.name = name
        viewModel.email = email
        viewModel.mobileNumber = mobileNumber
        viewModel.password = password
        try viewModel.signUp()
    }
}
