import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live as long as the app.
@MainActor
final class KooberAppDependencyContainer: MainViewControllerFactory {
    let model: any KooberModelFactory
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedMainViewModel = MainViewModel()

    init(model: any KooberModelFactory) {
        self.model = model
        sharedUserSessionRepository = model.makeUserSessionRepository(dataStore: model.makeUserSessionDataStore())
    }

    func makeMainViewController() -> any ViewController<KooberScreen> {
        MainViewController(viewModel: sharedMainViewModel, viewControllerFactory: self)
    }

    func makeViewController(for view: MainView) -> any ViewController<KooberScreen> {
        switch view {
        case .launching:
            LaunchViewController(
                viewModel: LaunchViewModel(
                    userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                    signedInResponder: sharedMainViewModel))
        case .onboarding:
            KooberOnboardingDependencyContainer(app: self).makeOnboardingViewController()
        case .signedIn(let userSession):
            KooberSignedInDependencyContainer(app: self, userSession: userSession).makeSignedInViewController()
        }
    }
}

/// Owns the objects that live while the user is signed out. The onboarding view controller keeps it as the factory of
/// its children.
@MainActor
final class KooberOnboardingDependencyContainer: OnboardingViewControllerFactory {
    private let app: KooberAppDependencyContainer
    private let sharedOnboardingViewModel = OnboardingViewModel()

    init(app: KooberAppDependencyContainer) {
        self.app = app
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
                    userSessionRepository: app.sharedUserSessionRepository, submission: makeFormSubmission()))
        case .signUp:
            SignUpViewController(
                viewModel: SignUpViewModel(
                    userSessionRepository: app.sharedUserSessionRepository, submission: makeFormSubmission()))
        }
    }

    private func makeFormSubmission() -> FormSubmission {
        FormSubmission(signedInResponder: app.sharedMainViewModel)
    }
}
