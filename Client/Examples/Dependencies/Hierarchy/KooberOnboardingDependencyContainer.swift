import KooberKit
import KooberOnboarding

/// What lives while nobody is signed in. All of one onboarding is made at once, so what this keeps lives as long as the
/// screen that it makes, and no longer.
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
            viewModel: sharedOnboardingViewModel, welcome: makeWelcomeScreen(), signIn: makeSignInScreen(),
            signUp: makeSignUpScreen())
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
