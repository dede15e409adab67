import KooberKit
import KooberScreens

protocol WelcomeInteractionResponder: ErrorInteractionResponder {
    func goToSignIn()
    func goToSignUp()
}

typealias WelcomeUseCases = NavigateOnboardingUseCaseFactory & FinishedPresentingErrorUseCaseFactory

/// The choice between signing in and signing up.
final class WelcomeController: ScreenController<any WelcomeInteractionResponder, ErrorViewState, any WelcomeUseCases>,
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

// MARK: View

final class WelcomeView: View, ScreenUserInterface {
    weak var interactionResponder: (any WelcomeInteractionResponder)?

    func render(newState: ErrorViewState) {
        window.show(.welcome, error: newState.error, in: self, errorResponder: interactionResponder)
    }

    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .goToSignIn: interactionResponder?.goToSignIn()
        case .goToSignUp: interactionResponder?.goToSignUp()
        default: return false
        }
        return true
    }
}
