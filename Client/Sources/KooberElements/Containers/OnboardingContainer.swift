import KooberKit
import PouchEntities

/// Owns the objects that live while the user is signed out. Its controllers hold it as the factory of their use cases.
@MainActor
public final class OnboardingContainer {
    public let onboarding: StateStore<OnboardingState>
    private let app: AppContainer

    /// - Parameter error: shown on the welcome screen.
    public init(app: AppContainer, error: ErrorMessage? = nil) {
        onboarding = StateStore(OnboardingState(errors: [error].compactMap { $0 }))
        self.app = app
    }

    private var authentication: Authentication {
        Authentication(onboarding: onboarding, main: app.main)
    }

    func makeOnboardingController() -> any Controller {
        let observer = EventObserver(onboarding.select(\.screen))
        let controller = OnboardingController(observer: observer, children: self)
        observer.deliver(to: controller) { $0.received(newScreen: $1) }
        return controller
    }
}

extension OnboardingContainer: OnboardingChildFactory {
    func makeWelcomeController() -> any Controller {
        WelcomeController.make(
            in: WelcomeView(window: app.window), observing: onboarding.select { ErrorViewState($0) }, useCases: self)
    }

    func makeSignInController() -> any Controller {
        SignInController.make(
            in: SignInView(window: app.window), observing: onboarding.select { FormViewState($0) }, useCases: self)
    }

    func makeSignUpController() -> any Controller {
        SignUpController.make(
            in: SignUpView(window: app.window), observing: onboarding.select { FormViewState($0) }, useCases: self)
    }
}

extension OnboardingContainer: NavigateOnboardingUseCaseFactory, SignInUseCaseFactory, SignUpUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase {
        UseCaseRun(NavigateOnboardingUseCase(screen: screen, onboarding: onboarding))
    }

    public func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase {
        UseCaseRun(
            SignInUseCase(
                email: email, password: password, repository: app.userSessionRepository,
                authentication: authentication))
    }

    public func makeSignUpUseCase(newAccount: NewAccount) -> any CancelableUseCase {
        UseCaseRun(
            SignUpUseCase(
                newAccount: newAccount, repository: app.userSessionRepository, authentication: authentication))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: onboarding))
    }
}
