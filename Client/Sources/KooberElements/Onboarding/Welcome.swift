import KooberKit
import KooberScreens

protocol WelcomeInteractionResponder: ErrorInteractionResponder {
    func goToSignIn()
    func goToSignUp()
}

/// The choice between signing in and signing up.
final class WelcomeController: ScreenController, WelcomeInteractionResponder {
    typealias UserInterface = any ScreenUserInterface<any WelcomeInteractionResponder, ErrorViewState>
    typealias UseCases = NavigateOnboardingUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: UserInterface
    private let observer: any Observer
    private let useCases: any UseCases

    init(userInterface: UserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() { observer.startObserving() }

    func deactivate() { observer.stopObserving() }

    func received(newState: ErrorViewState) {
        userInterface.render(newState: newState)
    }

    func goToSignIn() { useCases.makeNavigateOnboardingUseCase(to: .signIn).start() }

    func goToSignUp() { useCases.makeNavigateOnboardingUseCase(to: .signUp).start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}

// MARK: View

final class WelcomeView: ScreenUserInterface, View {
    weak var interactionResponder: (any WelcomeInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: ErrorViewState) {
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
