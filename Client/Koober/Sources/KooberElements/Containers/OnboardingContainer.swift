import KooberKit
import KooberScreens
import PouchEntities

/// Owns the objects that live while the user is signed out. Its controllers hold it as the factory of their use cases.
@MainActor
public final class OnboardingContainer {
    public let onboarding: StateStore<OnboardingState>
    private let app: AppContainer

    /// - Parameters:
    ///   - form: the form to show; nil for the welcome screen.
    ///   - error: shown over it.
    public init(app: AppContainer, form: Destination.Form? = nil, error: ErrorMessage? = nil) {
        let screen: OnboardingState.Screen =
            switch form {
            case nil: .welcome
            case .signIn: .signIn
            case .signUp: .signUp
            }
        onboarding = StateStore(OnboardingState(screen: screen, errors: [error].compactMap { $0 }))
        self.app = app
    }

    private var authentication: Authentication {
        Authentication(
            onboarding: onboarding, main: app.main, remoteAPI: app.remoteAPI, dataStore: app.dataStore,
            events: app.events)
    }

    func makeOnboardingController() -> any Controller {
        let observer = EventObserver(StateSource(app.updates) { [onboarding] in onboarding.state.screen })
        let controller = OnboardingController(observer: observer, children: self)
        observer.deliver(to: controller) { $0.received(newScreen: $1) }
        return controller
    }

    private func source(
        _ content: @escaping @MainActor (OnboardingState) -> KooberScreen.Content
    ) -> StateSource<ScreenViewState> {
        StateSource(app.updates) { [onboarding] in ScreenViewState(content(onboarding.state), onboarding.state) }
    }
}

extension OnboardingContainer: OnboardingChildFactory {
    func makeWelcomeController() -> any Controller {
        WelcomeController.make(in: WelcomeView(in: app.root), observing: source { _ in .welcome }, useCases: self)
    }

    func makeSignInController() -> any Controller {
        SignInController.make(in: SignInView(in: app.root), observing: source { .signIn($0.form) }, useCases: self)
    }

    func makeSignUpController() -> any Controller {
        SignUpController.make(in: SignUpView(in: app.root), observing: source { .signUp($0.form) }, useCases: self)
    }
}

extension OnboardingContainer: NavigateOnboardingUseCaseFactory, SignInUseCaseFactory, SignUpUseCaseFactory,
    FinishedPresentingErrorUseCaseFactory
{
    public func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase {
        UseCaseRun(NavigateOnboardingUseCase(screen: screen, onboarding: onboarding))
    }

    public func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase {
        UseCaseRun(SignInUseCase(email: email, password: password, authentication: authentication))
    }

    public func makeSignUpUseCase(
        name: String, email: String, mobileNumber: String, password: Secret
    ) -> any CancelableUseCase {
        UseCaseRun(
            SignUpUseCase(
                name: name, email: email, mobileNumber: mobileNumber, password: password,
                authentication: authentication))
    }

    public func makeFinishedPresentingErrorUseCase(_ error: ErrorMessage) -> any UseCase {
        UseCaseRun(FinishedPresentingErrorUseCase(error: error, store: onboarding))
    }
}
