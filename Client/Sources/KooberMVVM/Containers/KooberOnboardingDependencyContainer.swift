import KooberKit
import KooberScreens

/// Owns the objects that live while the user is signed out. The onboarding view controller keeps it as the factory of its
/// children.
@MainActor
final class KooberOnboardingDependencyContainer: OnboardingViewControllerFactory {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let sharedOnboardingViewModel = OnboardingViewModel()

    init(appDependencyContainer: KooberAppDependencyContainer) {
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
    }

    func makeOnboardingViewController() -> any ViewController<KooberScreen> {
        OnboardingViewController(viewModel: sharedOnboardingViewModel, viewControllerFactory: self)
    }

    func makeViewController(for view: OnboardingView) -> any ViewController<KooberScreen.Content> {
        switch view {
        case .welcome:
            WelcomeViewController(
                viewModel: WelcomeViewModel(
                    goToSignUpNavigator: sharedOnboardingViewModel, goToSignInNavigator: sharedOnboardingViewModel))
        case .signIn:
            SignInViewController(
                viewModel: SignInViewModel(
                    userSessionRepository: sharedUserSessionRepository, submission: makeFormSubmission()))
        case .signUp:
            SignUpViewController(
                viewModel: SignUpViewModel(
                    userSessionRepository: sharedUserSessionRepository, submission: makeFormSubmission()))
        }
    }

    private func makeFormSubmission() -> FormSubmission {
        FormSubmission(signedInResponder: sharedMainViewModel)
    }
}
