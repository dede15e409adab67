import KooberKit

/// The state of the welcome screen and its two forms, which share their errors.
public struct OnboardingState: PresentsErrors {
    public enum Screen: Sendable, Equatable {
        case welcome
        case signIn
        case signUp
    }

    public var screen = Screen.welcome
    /// Whether a form is being sent.
    public var isAuthenticating = false
    public var errors: [ErrorMessage] = []
}

/// Shows the screen that the onboarding state names.
final class OnboardingController: Controller {
    private let observer: any Observer
    private let children: any OnboardingChildFactory
    private var child: (any Controller)? {
        didSet {
            oldValue?.deactivate()
            child?.activate()
        }
    }

    init(observer: any Observer, children: any OnboardingChildFactory) {
        self.observer = observer
        self.children = children
    }

    func activate() { observer.startObserving() }

    func deactivate() {
        observer.stopObserving()
        child = nil
    }

    func received(newScreen: OnboardingState.Screen) {
        child =
            switch newScreen {
            case .welcome: children.makeWelcomeController()
            case .signIn: children.makeSignInController()
            case .signUp: children.makeSignUpController()
            }
    }
}

@MainActor
protocol OnboardingChildFactory: AnyObject {
    func makeWelcomeController() -> any Controller
    func makeSignInController() -> any Controller
    func makeSignUpController() -> any Controller
}

// MARK: Use case

/// Shows another screen of onboarding. Does nothing while a form is being sent.
@MainActor
public protocol NavigateOnboardingUseCaseFactory: AnyObject {
    func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase
}

struct NavigateOnboardingUseCase: UseCaseSteps {
    let screen: OnboardingState.Screen
    let onboarding: StateStore<OnboardingState>

    func execute(in run: UseCaseRun<Self>) {
        onboarding.update {
            guard !$0.isAuthenticating else { return }
            $0.screen = screen
        }
    }
}
