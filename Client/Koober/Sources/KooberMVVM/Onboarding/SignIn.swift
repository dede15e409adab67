import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The input of the sign-in form.
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

    public var form: FormScreen { submission.form }

    public func signIn() {
        submission.send(
            try Credentials(email: email, password: password), to: userSessionRepository.signIn)
    }
}

package final class SignInViewController: ScreenView {
    private let viewModel: SignInViewModel

    package init(viewModel: SignInViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        bind({ viewModel.form }) { display.show(.signIn($0)) }
    }

    package override func perform(_ intention: Intention) {
        guard case .signIn(let email, let password) = intention else { return }
        viewModel.email = email
        viewModel.password = password
        viewModel.signIn()
    }
}
