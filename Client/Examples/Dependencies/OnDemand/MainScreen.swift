import KooberOnboarding

/// Shows the launch screen or the onboarding. To build the onboarding it has to know each of its classes and what each
/// of them needs.
@MainActor
public final class MainScreen {
    public let viewModel: MainViewModel
    public private(set) var launch: LaunchScreen?
    public private(set) var onboarding: OnboardingScreen?

    init(viewModel: MainViewModel, launch: LaunchScreen) {
        self.viewModel = viewModel
        self.launch = launch
        viewModel.onChange = { [weak self] in self?.present($0) }
    }

    private func present(_ view: MainView) {
        launch = nil
        if view == .onboarding { presentOnboarding() } else { onboarding = nil }
    }

    private func presentOnboarding() {
        let onboardingViewModel = OnboardingViewModel()
        let welcomeViewModel = WelcomeViewModel(
            goToSignUpNavigator: onboardingViewModel, goToSignInNavigator: onboardingViewModel)
        let signInViewModel = SignInViewModel(
            userSessionRepository: globalUserSessionRepository, signedInResponder: viewModel)
        let signUpViewModel = SignUpViewModel(
            userSessionRepository: globalUserSessionRepository, signedInResponder: viewModel)
        onboarding = OnboardingScreen(
            viewModel: onboardingViewModel,
            welcome: WelcomeScreen(viewModel: welcomeViewModel),
            signIn: SignInScreen(viewModel: signInViewModel),
            signUp: SignUpScreen(viewModel: signUpViewModel))
    }
}
