import KooberKit
import KooberScreens

final class SignInViewController: ViewController {
    private let viewModel: SignInViewModel

    init(viewModel: SignInViewModel) {
        self.viewModel = viewModel
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }
    var content: KooberScreen.Content { .signIn(FormScreen(viewModel.form)) }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        guard case .signIn(let email, let password) = intention else { return }
        viewModel.email = email
        viewModel.password = password
        try viewModel.signIn()
    }
}
