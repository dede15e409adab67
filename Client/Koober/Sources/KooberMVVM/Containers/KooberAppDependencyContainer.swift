import KooberKit
import KooberMVVMCore
import KooberMVVMLaunch
import KooberMVVMOnboarding
import KooberScreens

/// Owns the objects that live as long as the app.
@MainActor
final class KooberAppDependencyContainer: MainViewControllerFactory {
    let model: any KooberModelFactory
    let sharedUserSessionRepository: any UserSessionRepository
    let sharedErrorMessages = ErrorMessages()
    let sharedMainViewModel: MainViewModel
    private let connectivityViewModel: ConnectivityViewModel
    /// nil once the app has reached it, or can no longer reach it.
    private var destination: Destination?

    init(model: any KooberModelFactory, destination: Destination?) {
        self.model = model
        self.destination = destination
        sharedUserSessionRepository = KooberUserSessionRepository(
            dataStore: model.makeUserSessionDataStore(), remoteAPI: model.makeAuthRemoteAPI())
        sharedMainViewModel = MainViewModel(errorMessages: sharedErrorMessages)
        connectivityViewModel = ConnectivityViewModel(connectivitySource: model.makeConnectivitySource())
    }

    func makeMainViewController(in display: any Display) -> MainViewController {
        MainViewController(
            viewModel: sharedMainViewModel, errorMessages: sharedErrorMessages, connectivity: connectivityViewModel,
            viewControllerFactory: self, in: display)
    }

    func makeViewController(for view: MainView, in display: any Display) -> ScreenView {
        switch view {
        case .launching:
            return LaunchViewController(
                viewModel: LaunchViewModel(
                    userSessionRepository: sharedUserSessionRepository, notSignedInResponder: sharedMainViewModel,
                    signedInResponder: sharedMainViewModel, errorMessages: sharedErrorMessages),
                in: display)
        case .onboarding:
            let form = destination?.form
            destination = destination?.afterSigningIn
            return KooberOnboardingDependencyContainer(app: self, form: form).makeOnboardingViewController(in: display)
        case .signedIn(let userSession):
            let signedIn = KooberSignedInDependencyContainer(
                app: self, userSession: userSession, destination: destination)
            destination = nil
            return signedIn.makeSignedInViewController(in: display)
        }
    }
}

/// Owns the objects that live while the user is signed out. The onboarding view controller retains it as the factory of
/// its children.
@MainActor
final class KooberOnboardingDependencyContainer: OnboardingViewControllerFactory {
    private let app: KooberAppDependencyContainer
    private let sharedOnboardingViewModel: OnboardingViewModel

    init(app: KooberAppDependencyContainer, form: Destination.Form?) {
        self.app = app
        sharedOnboardingViewModel =
            switch form {
            case nil: OnboardingViewModel()
            case .signIn: OnboardingViewModel(view: .signIn)
            case .signUp: OnboardingViewModel(view: .signUp)
            }
    }

    func makeOnboardingViewController(in display: any Display) -> ScreenView {
        OnboardingViewController(viewModel: sharedOnboardingViewModel, viewControllerFactory: self, in: display)
    }

    func makeViewController(for view: OnboardingView, in display: any Display) -> ScreenView {
        switch view {
        case .welcome:
            WelcomeViewController(
                viewModel: WelcomeViewModel(
                    goToSignUpNavigator: sharedOnboardingViewModel, goToSignInNavigator: sharedOnboardingViewModel),
                in: display)
        case .signIn:
            SignInViewController(
                viewModel: SignInViewModel(
                    userSessionRepository: app.sharedUserSessionRepository, submission: makeFormSubmission()),
                in: display)
        case .signUp:
            SignUpViewController(
                viewModel: SignUpViewModel(
                    userSessionRepository: app.sharedUserSessionRepository, submission: makeFormSubmission()),
                in: display)
        }
    }

    private func makeFormSubmission() -> FormSubmission {
        FormSubmission(signedInResponder: app.sharedMainViewModel, errorMessages: app.sharedErrorMessages)
    }
}
