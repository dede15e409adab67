import KooberOnboarding

/// Shows the profile, and over it the onboarding for another account. It is the second consumer of that graph, so that
/// it repeats what `MainScreen` says about it. A changed initializer is a change in both.
@MainActor
public final class SignedInScreen {
    public let profile: ProfileScreen
    public private(set) var onboarding: OnboardingScreen?
    /// Needed by the view models of the onboarding only.
    private let mainViewModel: MainViewModel

    init(profile: ProfileScreen, mainViewModel: MainViewModel) {
        self.profile = profile
        self.mainViewModel = mainViewModel
    }

    public func changeAccount() {
        let onboardingViewModel = OnboardingViewModel()
        let welcomeViewModel = WelcomeViewModel(
            goToSignUpNavigator: onboardingViewModel, goToSignInNavigator: onboardingViewModel)
        let signInViewModel = SignInViewModel(
            userSessionRepository: globalUserSessionRepository, signedInResponder: mainViewModel)
        let signUpViewModel = SignUpViewModel(
            userSessionRepository: globalUserSessionRepository, signedInResponder: mainViewModel)
        onboarding = OnboardingScreen(
            viewModel: onboardingViewModel,
            welcome: WelcomeScreen(viewModel: welcomeViewModel),
            signIn: SignInScreen(viewModel: signInViewModel),
            signUp: SignUpScreen(viewModel: signUpViewModel))
    }

    public func keepAccount() { onboarding = nil }
}
