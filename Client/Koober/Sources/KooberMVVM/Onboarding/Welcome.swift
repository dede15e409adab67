import KooberScreens

/// The choice between signing in and signing up.
@MainActor
public final class WelcomeViewModel {
    private let goToSignUpNavigator: any GoToSignUpNavigator
    private let goToSignInNavigator: any GoToSignInNavigator

    public init(goToSignUpNavigator: any GoToSignUpNavigator, goToSignInNavigator: any GoToSignInNavigator) {
        self.goToSignUpNavigator = goToSignUpNavigator
        self.goToSignInNavigator = goToSignInNavigator
    }

    public func showSignUpView() { goToSignUpNavigator.navigateToSignUp() }

    public func showSignInView() { goToSignInNavigator.navigateToSignIn() }
}

package final class WelcomeViewController: ScreenView {
    private let viewModel: WelcomeViewModel

    package init(viewModel: WelcomeViewModel, in display: any Display) {
        self.viewModel = viewModel
        super.init(in: display)
        display.show(.welcome)
    }

    package override func perform(_ intention: Intention) {
        switch intention {
        case .goToSignIn: viewModel.showSignInView()
        case .goToSignUp: viewModel.showSignUpView()
        default: break
        }
    }
}
