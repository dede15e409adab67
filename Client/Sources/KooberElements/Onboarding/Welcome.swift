import KooberKit
import KooberScreens

/// The choice between signing in and signing up.
@MainActor
protocol WelcomeUserInterface: AnyObject {
    var interactionResponder: (any WelcomeInteractionResponder)? { get set }
    func render(newState: WelcomeViewState)
}

struct WelcomeViewState: Sendable, Equatable {
    let error: ErrorMessage?

    init(_ state: OnboardingState) {
        error = state.errors.first
    }
}

@MainActor
protocol WelcomeInteractionResponder: ErrorInteractionResponder {
    func goToSignIn()
    func goToSignUp()
}

final class WelcomeController: ScreenController, WelcomeInteractionResponder {
    typealias UseCases = NavigateOnboardingUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any WelcomeUserInterface
    private let observer: any Observer
    private let useCases: any UseCases

    init(userInterface: any WelcomeUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() { observer.startObserving() }

    func deactivate() { observer.stopObserving() }

    func received(newState: WelcomeViewState) {
        userInterface.render(newState: newState)
    }

    func goToSignIn() { useCases.makeNavigateOnboardingUseCase(to: .signIn).start() }

    func goToSignUp() { useCases.makeNavigateOnboardingUseCase(to: .signUp).start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}

// MARK: View

final class WelcomeView: WelcomeUserInterface, View {
    weak var interactionResponder: (any WelcomeInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: WelcomeViewState) {
        window.show(.welcome, error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .goToSignIn: interactionResponder?.goToSignIn()
        case .goToSignUp: interactionResponder?.goToSignUp()
        default: return false
        }
        return true
    }
}
