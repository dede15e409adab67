import KooberKit
import KooberScreens

final class SignUpViewController: ViewController {
    private let viewModel: SignUpViewModel

    init(viewModel: SignUpViewModel) {
        self.viewModel = viewModel
    }

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
