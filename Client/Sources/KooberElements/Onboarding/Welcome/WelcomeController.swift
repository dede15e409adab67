import KooberKit

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
