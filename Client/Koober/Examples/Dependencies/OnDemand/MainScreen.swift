import KooberOnboarding
import PouchEntities

/// Shows the launch screen, the onboarding or the signed-in app. To build them, it has to know each of their classes
/// and all of their dependencies.
@MainActor
public final class MainScreen {
    public let viewModel: MainViewModel
    public private(set) var launch: LaunchScreen?
    public private(set) var onboarding: OnboardingScreen?
    public private(set) var signedIn: SignedInScreen?

    init(viewModel: MainViewModel, launch: LaunchScreen) {
        self.viewModel = viewModel
        self.launch = launch
        viewModel.onChange = { [weak self] in self?.present($0) }
    }

    private func present(_ view: MainView) {
        launch = nil
        onboarding = nil
        signedIn = nil
        switch view {
        case .launching: break
        case .onboarding: presentOnboarding()
        case .signedIn(let userSession): presentSignedIn(userSession)
        }
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

    private func presentSignedIn(_ userSession: UserSession) {
        let profileViewModel = ProfileViewModel(
            userSession: userSession, userSessionRepository: globalUserSessionRepository,
            notSignedInResponder: viewModel)
        signedIn = SignedInScreen(profile: ProfileScreen(viewModel: profileViewModel), mainViewModel: viewModel)
    }
}
