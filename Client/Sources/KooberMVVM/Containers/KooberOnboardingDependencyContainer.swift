import KooberKit
import KooberScreens

/// Owns what lives while nobody is signed in. The onboarding view keeps it, to have its children made.
@MainActor
final class KooberOnboardingDependencyContainer: OnboardingViewControllerFactory {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let sharedOnboardingViewModel: OnboardingViewModel

    init(appDependencyContainer: KooberAppDependencyContainer) {
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
        sharedOnboardingViewModel = OnboardingViewModel()
    }

    func makeOnboardingViewController() -> any ViewController<KooberScreen> {
        OnboardingViewController(viewModel: sharedOnboardingViewModel, viewControllerFactory: self)
    }

    func makeViewController(for view: OnboardingView) -> any ViewController<KooberScreen.Content> {
        switch view {
        case .welcome:
            WelcomeViewController(
                viewModel: WelcomeViewModel(
                    goToSignUpNavigator: sharedOnboardingViewModel,
                    goToSignInNavigator: sharedOnboardingViewModel))
        case .signIn:
            SignInViewController(
                viewModel: SignInViewModel(
                    userSessionRepository: sharedUserSessionRepository,
                    submission: FormSubmission(signedInResponder: sharedMainViewModel)))
        case .signUp:
            SignUpViewController(
                viewModel: SignUpViewModel(
                    userSessionRepository: sharedUserSessionRepository,
                    submission: FormSubmission(signedInResponder: sharedMainViewModel)))
        }
    }
}
