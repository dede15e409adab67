import KooberKit

@MainActor
public protocol SignUpInteractionResponder: ErrorInteractionResponder {
    func signUp(newAccount: NewAccount)
    /// The system has gone back already; the app follows.
    func returnToWelcome()
}

public final class SignUpController: Controller, SignUpInteractionResponder {
    public typealias UseCases = SignUpUseCaseFactory & NavigateOnboardingUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any SignUpUserInterface
    private let observer: any Observer
    private let useCases: any UseCases

    public init(userInterface: any SignUpUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() { observer.startObserving() }

    public func deactivate() { observer.stopObserving() }

    public func received(newViewState: FormViewState) {
        userInterface.render(newState: newViewState)
    }

    public func signUp(newAccount: NewAccount) {
        useCases.makeSignUpUseCase(newAccount: newAccount).start()
    }

    public func returnToWelcome() { useCases.makeNavigateOnboardingUseCase(to: .welcome).start() }

    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}
