import KooberScreens

final class WelcomeViewController: ViewController {
    private let viewModel: WelcomeViewModel

    init(viewModel: WelcomeViewModel) {
        self.viewModel = viewModel
    }

    var content: KooberScreen.Content { .welcome }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .goToSignIn: try viewModel.showSignInView()
        case .goToSignUp: try viewModel.showSignUpView()
        default: break
        }
    }
}
