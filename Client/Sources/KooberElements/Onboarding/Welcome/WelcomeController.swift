import KooberKit

@MainActor
public protocol WelcomeInteractionResponder: ErrorInteractionResponder {
    func goToSignIn()
    func goToSignUp()
}

public final class WelcomeController: Controller, WelcomeInteractionResponder {
    public typealias UseCases = NavigateOnboardingUseCaseFactory & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any WelcomeUserInterface
    private let observer: any Observer
    private let useCases: any UseCases

    public init(userInterface: any WelcomeUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() { observer.startObserving() }

    public func deactivate() { observer.stopObserving() }

    public func received(newViewState: WelcomeViewState) {
        userInterface.render(newState: newViewState)
    }

    public func goToSignIn() { useCases.makeNavigateOnboardingUseCase(to: .signIn).start() }

    public func goToSignUp() { useCases.makeNavigateOnboardingUseCase(to: .signUp).start() }

    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}
