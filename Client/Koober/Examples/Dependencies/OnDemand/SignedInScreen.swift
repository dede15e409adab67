import KooberOnboarding

/// Shows the profile, and over it the onboarding for another account. It is the second consumer of that graph, and so
/// repeats what `MainScreen` states about it. A changed initializer requires a change in both.
@MainActor
public final class SignedInScreen {
    public let profile: ProfileScreen
    public private(set) var onboarding: OnboardingScreen?
    /// Needed only by the view models of the onboarding.
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
