import KooberKit
import PouchEntities

@MainActor
public protocol SignInInteractionResponder: ErrorInteractionResponder {
    func signIn(email: String, password: Secret)
    /// The system has gone back already; the app follows.
    func returnToWelcome()
}

public final class SignInController: Controller, SignInInteractionResponder {
    public typealias UseCases = SignInUseCaseFactory & NavigateOnboardingUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: any SignInUserInterface
    private let observer: any Observer
    private let useCases: any UseCases

    public init(userInterface: any SignInUserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
    }

    public func activate() { observer.startObserving() }

    public func deactivate() { observer.stopObserving() }

    public func received(newViewState: FormViewState) {
        userInterface.render(newState: newViewState)
    }

    public func signIn(email: String, password: Secret) {
        useCases.makeSignInUseCase(email: email, password: password).start()
    }

    public func returnToWelcome() { useCases.makeNavigateOnboardingUseCase(to: .welcome).start() }

    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}
