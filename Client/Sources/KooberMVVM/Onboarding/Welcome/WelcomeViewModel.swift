/// Asks whether somebody has an account. Both methods throw where the navigator refuses.
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
