import KooberKit
import KooberScreens

/// Owns what lives while nobody is signed in. The onboarding view keeps it, to have its children made.
@MainActor
final class KooberOnboardingDependencyContainer {
    private let sharedUserSessionRepository: any UserSessionRepository
    private let sharedMainViewModel: MainViewModel
    private let sharedOnboardingViewModel: OnboardingViewModel
    private let register: ObjectRegister

    init(appDependencyContainer: KooberAppDependencyContainer) {
        sharedUserSessionRepository = appDependencyContainer.sharedUserSessionRepository
        sharedMainViewModel = appDependencyContainer.sharedMainViewModel
        register = ObjectRegister(scope: .onboarding, lifetimes: appDependencyContainer.lifetimes)
        sharedOnboardingViewModel = register.made(OnboardingViewModel())
        register.made(self)
    }

    func makeOnboardingViewController() -> any ViewController<KooberScreen> {
        register.made(
            OnboardingViewController(viewModel: sharedOnboardingViewModel, makeChild: makeViewController))
    }

    private func makeViewController(for view: OnboardingView) -> any ViewController<KooberScreen.Content> {
        switch view {
        case .welcome:
            register.made(
                WelcomeViewController(
                    viewModel: register.made(
                        WelcomeViewModel(
                            goToSignUpNavigator: sharedOnboardingViewModel,
                            goToSignInNavigator: sharedOnboardingViewModel))))
        case .signIn:
            register.made(
                SignInViewController(
                    viewModel: register.made(
                        SignInViewModel(
                            userSessionRepository: sharedUserSessionRepository,
                            signedInResponder: sharedMainViewModel))))
        case .signUp:
            register.made(
                SignUpViewController(
                    viewModel: register.made(
                        SignUpViewModel(
                            userSessionRepository: sharedUserSessionRepository,
                            signedInResponder: sharedMainViewModel))))
        }
    }
}
