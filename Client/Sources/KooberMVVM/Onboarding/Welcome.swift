import KooberScreens

/// The choice between signing in and signing up. Both methods throw if the navigator refuses.
@MainActor
public final class WelcomeViewModel {
    private let goToSignUpNavigator: any GoToSignUpNavigator
    private let goToSignInNavigator: any GoToSignInNavigator

    public init(goToSignUpNavigator: any GoToSignUpNavigator, goToSignInNavigator: any GoToSignInNavigator) {
        self.goToSignUpNavigator = goToSignUpNavigator
        self.goToSignInNavigator = goToSignInNavigator
    }

    public func showSignUpView() throws(IllegalTransition) {
        try goToSignUpNavigator.navigateToSignUp()
    }

    public func showSignInView() throws(IllegalTransition) {
        try goToSignInNavigator.navigateToSignIn()
    }
}

final class WelcomeViewController: ModelViewController<WelcomeViewModel>, ViewController {
    var content: KooberScreen.Content { .welcome }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .goToSignIn: try viewModel.showSignInView()
        case .goToSignUp: try viewModel.showSignUpView()
        default: break
        }
    }
}
