import Foundation
import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The input of the sign-in form. Blanks around the e-mail address are ignored.
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

final class SignInViewController: ModelViewController<SignInViewModel>, ViewController {
    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen.Content { .signIn(FormScreen(viewModel.form)) }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        guard case .signIn(let email, let password) = intention else { return }
        viewModel.email = email
        viewModel.password = password
        try viewModel.signIn()
    }
}
