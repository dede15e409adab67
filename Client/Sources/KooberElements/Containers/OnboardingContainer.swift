import KooberKit
import KooberScreens

/// What lives while nobody is signed in. The controllers that it makes hold it, as the factory of their use cases.
@MainActor
public final class OnboardingContainer {
    public let onboarding: StateStore<OnboardingState>
    private let app: AppContainer
    private let made: ObjectRegister

    init(app: AppContainer, error: ErrorMessage?) {
        made = ObjectRegister(scope: .onboarding, lifetimes: app.lifetimes)
        onboarding = made(StateStore(OnboardingState(errors: error.map { [$0] } ?? [])))
        self.app = app
        made(self)
    }

    private var authentication: Authentication {
        Authentication(onboarding: onboarding, main: app.main)
    }

    func makeOnboardingController() -> any Controller {
        let observer = made(EventObserver(onboarding.select(\.screen)))
        let controller = made(OnboardingController(observer: observer, children: self))
        observer.deliver(to: controller) { $0.received(newScreen: $1) }
        return controller
    }
}

extension OnboardingContainer: OnboardingChildFactory {
    func makeWelcomeController() -> any Controller {
        made.controller(
            WelcomeController.self, in: WelcomeView(window: app.window), of: onboarding.select { WelcomeViewState($0) },
            useCases: self)
    }

    func makeSignInController() -> any Controller {
        made.controller(
            SignInController.self, in: SignInView(window: app.window), of: onboarding.select { FormViewState($0) },
            useCases: self)
    }

    func makeSignUpController() -> any Controller {
        made.controller(
            SignUpController.self, in: SignUpView(window: app.window), of: onboarding.select { FormViewState($0) },
            useCases: self)
    }
}

extension OnboardingContainer: NavigateOnboardingUseCaseFactory, SignInUseCaseFactory, SignUpUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase {
        made(NavigateOnboardingUseCase(screen: screen, onboarding: onboarding))
    }

    public func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase {
        made(
            SignInUseCase(
                email: email, password: password, repository: app.userSessionRepository,
                authentication: authentication))
    }

    public func makeSignUpUseCase(newAccount: NewAccount) -> any CancelableUseCase {
        made(
            SignUpUseCase(
                newAccount: newAccount, repository: app.userSessionRepository, authentication: authentication))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        made(FinishedPresentingErrorUseCase(error: error, store: onboarding))
    }
}
