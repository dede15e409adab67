import KooberKit
import KooberOnboarding

/// Owns the objects that live while the user is signed out. The onboarding screen keeps it as the factory of its three
/// screens. It does not keep the onboarding screen, so that both are deallocated together.
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

    private func makeWelcomeScreen() -> WelcomeScreen {
        WelcomeScreen(
            viewModel: WelcomeViewModel(
                goToSignUpNavigator: sharedOnboardingViewModel, goToSignInNavigator: sharedOnboardingViewModel))
    }

    private func makeSignInScreen() -> SignInScreen {
        SignInScreen(
            viewModel: SignInViewModel(
                userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel))
    }

    private func makeSignUpScreen() -> SignUpScreen {
        SignUpScreen(
            viewModel: SignUpViewModel(
                userSessionRepository: sharedUserSessionRepository, signedInResponder: sharedMainViewModel))
    }
}
