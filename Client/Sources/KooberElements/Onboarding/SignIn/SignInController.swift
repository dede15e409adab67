import KooberKit

/// Told of what is done in the form.
@MainActor
public protocol SignInInteractionResponder: ErrorInteractionResponder {
    func signIn(email: String, password: Secret)
    /// The system has gone back already; the app follows.
    func returnToWelcome()
}

/// The sign-in form. It may be driven among fakes of all that it is given.
public final class SignInController: ScreenController, SignInInteractionResponder {
    public typealias UserInterface = any FormUserInterface<any SignInInteractionResponder>
    public typealias UseCases = SignInUseCaseFactory & NavigateOnboardingUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: UserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    public init(userInterface: UserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    public func activate() { observer.startObserving() }

    public func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    public func received(newState: FormViewState) {
        userInterface.render(newState: newState)
    }

    public func signIn(email: String, password: Secret) {
        running.start(useCases.makeSignInUseCase(email: email, password: password))
    }

    public func returnToWelcome() { useCases.makeNavigateOnboardingUseCase(to: .welcome).start() }

    public func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}
