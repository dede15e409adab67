import KooberKit
import KooberScreens

/// Owns what lives while nobody is signed in. The onboarding view keeps it, to have its children made.
@MainActor
final class KooberOnboardingDependencyContainer {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let sharedOnboardingViewModel: OnboardingViewModel
    private let made: ObjectRegister

    init(appDependencyContainer: KooberAppDependencyContainer) {
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
        made = ObjectRegister(scope: .onboarding, lifetimes: appDependencyContainer.lifetimes)
        sharedOnboardingViewModel = made(OnboardingViewModel())
        made(self)
    }

    func makeOnboardingViewController() -> any ViewController<KooberScreen> {
        made(
            OnboardingViewController(viewModel: sharedOnboardingViewModel, makeChild: makeViewController))
    }

    private func makeViewController(for view: OnboardingView) -> any ViewController<KooberScreen.Content> {
        switch view {
        case .welcome:
            made(
                WelcomeViewController(
                    viewModel: made(
                        WelcomeViewModel(
                            goToSignUpNavigator: sharedOnboardingViewModel,
                            goToSignInNavigator: sharedOnboardingViewModel))))
        case .signIn:
            made(
                SignInViewController(
                    viewModel: made(
                        SignInViewModel(
                            userSessionRepository: sharedUserSessionRepository,
                            submission: made(FormSubmission(signedInResponder: sharedMainViewModel))))))
        case .signUp:
            made(
                SignUpViewController(
                    viewModel: made(
                        SignUpViewModel(
                            userSessionRepository: sharedUserSessionRepository,
                            submission: made(FormSubmission(signedInResponder: sharedMainViewModel))))))
        }
    }
}
