import KooberKit
import KooberScreens

/// The state of the welcome screen and its two forms, which share their errors.
public struct OnboardingState: PresentsErrors {
    public enum Screen: Sendable, Equatable {
        case welcome
        case signIn
        case signUp
    }

    public var screen: Screen
    /// The state of the shown form.
    public var form = FormScreen()
    public var errors: [ErrorMessage]

    public init(screen: Screen = .welcome, errors: [ErrorMessage] = []) {
        self.screen = screen
        self.errors = errors
    }
}

/// Shows the screen that the onboarding state names.
final class OnboardingController: ContainerController {
    private let children: any OnboardingChildFactory

    init(observer: any Observer, children: any OnboardingChildFactory) {
        self.children = children
        super.init(observer: observer)
    }

    func received(newScreen: OnboardingState.Screen) {
        show {
            switch newScreen {
            case .welcome: children.makeWelcomeController()
            case .signIn: children.makeSignInController()
            case .signUp: children.makeSignUpController()
            }
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

/// Shows another screen of onboarding, with an empty form. Does nothing while a form is being sent.
@MainActor
public protocol NavigateOnboardingUseCaseFactory: AnyObject {
    func makeNavigateOnboardingUseCase(to screen: OnboardingState.Screen) -> any UseCase
}

struct NavigateOnboardingUseCase: UseCaseSteps {
    let screen: OnboardingState.Screen
    let onboarding: StateStore<OnboardingState>

    func execute(in run: UseCaseRun<Self>) {
        onboarding.update {
            guard !$0.form.isBusy else { return }
            $0.screen = screen
            $0.form = FormScreen()
        }
    }
}

// MARK: Welcome

protocol WelcomeInteractionResponder: ErrorInteractionResponder {
    func goToSignIn()
    func goToSignUp()
}

typealias WelcomeUseCases = NavigateOnboardingUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The choice between signing in and signing up.
final class WelcomeController: ScreenController<any WelcomeInteractionResponder, any WelcomeUseCases>,
    WelcomeInteractionResponder
{
    required init(userInterface: UserInterface, observer: any Observer, useCases: any WelcomeUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    func goToSignIn() { useCases.makeNavigateOnboardingUseCase(to: .signIn).start() }

    func goToSignUp() { useCases.makeNavigateOnboardingUseCase(to: .signUp).start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}

final class WelcomeView: ContentView<any WelcomeInteractionResponder> {
    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .goToSignIn: interactionResponder?.goToSignIn()
        case .goToSignUp: interactionResponder?.goToSignUp()
        default: return super.perform(intention)
        }
        return true
    }
}
