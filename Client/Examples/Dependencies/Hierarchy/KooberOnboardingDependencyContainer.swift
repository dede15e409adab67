import KooberKit
import KooberOnboarding

/// What lives while nobody is signed in. The onboarding screen keeps it, to have its three screens made, and it does not
/// keep that one: they go together.
@MainActor
final class KooberOnboardingDependencyContainer {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let sharedOnboardingViewModel = OnboardingViewModel()

    init(appDependencyContainer: KooberAppDependencyContainer) {
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
    }

    func makeOnboardingScreen() -> OnboardingScreen {
        OnboardingScreen(
            viewModel: sharedOnboardingViewModel, welcome: self.makeWelcomeScreen(), signIn: self.makeSignInScreen(),
            signUp: self.makeSignUpScreen())
    }

    private func makeWelcomeScreen() -> WelcomeScreen { WelcomeScreen(viewModel: makeWelcomeViewModel()) }

    private func makeWelcomeViewModel() -> WelcomeViewModel {
        WelcomeViewModel(
            goToSignUpNavigator: sharedOnboardingViewModel, goToSignInNavigator: sharedOnboardingViewModel)
    }

    private func makeSignInScreen() -> SignInScreen { SignInScreen(viewModel: makeSignInViewModel()) }

    private func makeSignInViewModel() -> SignInViewModel {
        SignInViewModel(userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel)
    }

    private func makeSignUpScreen() -> SignUpScreen { SignUpScreen(viewModel: makeSignUpViewModel()) }

    private func makeSignUpViewModel() -> SignUpViewModel {
        SignUpViewModel(userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel)
    }
}
