/// Holds the three screens of the onboarding.
@MainActor
public final class OnboardingScreen {
    public let viewModel: OnboardingViewModel
    public let welcome: WelcomeScreen
    public let signIn: SignInScreen
    public let signUp: SignUpScreen

    public init(
        viewModel: OnboardingViewModel, welcome: WelcomeScreen, signIn: SignInScreen, signUp: SignUpScreen
    ) {
        self.viewModel = viewModel
        self.welcome = welcome
        self.signIn = signIn
        self.signUp = signUp
    }
}
