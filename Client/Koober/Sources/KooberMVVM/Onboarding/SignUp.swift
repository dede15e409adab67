import KooberKit
import KooberScreens
import Observation
import PouchEntities

/// The input of the sign-up form.
@MainActor
@Observable
public final class SignUpViewModel {
    public var name = ""
    public var email = ""
    /// The mobile number, which may be empty.
    public var mobileNumber = ""
    public var password = Secret()
    private let userSessionRepository: any UserSessionRepository
    private let submission: FormSubmission

    public init(userSessionRepository: any UserSessionRepository, submission: FormSubmission) {
        self.userSessionRepository = userSessionRepository
        self.submission = submission
    }

    public var form: FormScreen { submission.form }

    public func signUp() {
        submission.send(
            try NewAccount(name: name, email: email, mobileNumber: mobileNumber, password: password),
            to: userSessionRepository.signUp)
    }
}

package final class SignUpViewController: ScreenView {
    private let viewModel: SignUpViewModel

    package init(viewModel: SignUpViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        bind({ viewModel.form }) { display.show(.signUp($0)) }
    }

    package override func perform(_ intention: Intention) {
        guard case .signUp(let name, let email, let mobileNumber, let password) = intention else { return }
        viewModel.name = name
        viewModel.email = email
        viewModel.mobileNumber = mobileNumber
        viewModel.password = password
        viewModel.signUp()
    }
}
