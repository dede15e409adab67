import KooberKit

@MainActor
protocol SignUpInteractionResponder: ErrorInteractionResponder {
    func signUp(newAccount: NewAccount)
    /// The system has gone back already; the app follows.
    func returnToWelcome()
}

final class SignUpController: ScreenController, SignUpInteractionResponder {
    typealias UserInterface = any FormUserInterface<any SignUpInteractionResponder>
    typealias UseCases = SignUpUseCaseFactory & NavigateOnboardingUseCaseFactory
        & FinishedPresentingErrorUseCaseFactory

    private let userInterface: UserInterface
    private let observer: any Observer
    private let useCases: any UseCases
    private let running = RunningUseCases()

    init(userInterface: UserInterface, observer: any Observer, useCases: any UseCases) {
        self.userInterface = userInterface
        self.observer = observer
        self.useCases = useCases
        userInterface.interactionResponder = self
    }

    func activate() { observer.startObserving() }

    func deactivate() {
        observer.stopObserving()
        running.cancel()
    }

    func received(newState: FormViewState) {
        userInterface.render(newState: newState)
    }

    func signUp(newAccount: NewAccount) {
        running.start(useCases.makeSignUpUseCase(newAccount: newAccount))
    }

    func returnToWelcome() { useCases.makeNavigateOnboardingUseCase(to: .welcome).start() }

    func finishedPresenting(_ error: ErrorMessage) {
        useCases.makeFinishedPresentingErrorUseCase(error).start()
    }
}
