import Foundation
import KooberKit
import KooberScreens
import PouchEntities

@MainActor
protocol SignUpInteractionResponder: ErrorInteractionResponder {
    func signUp(newAccount: NewAccount)
    /// Follows the system, which has gone back already.
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

// MARK: Use case

/// Creates an account, and shows the signed-in app. Does nothing while a form is being sent.
@MainActor
public protocol SignUpUseCaseFactory: AnyObject {
    func makeSignUpUseCase(newAccount: NewAccount) -> any CancelableUseCase
}

final class SignUpUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let newAccount: NewAccount
    private let repository: any UserSessionRepository
    private let authentication: Authentication

    init(newAccount: NewAccount, repository: any UserSessionRepository, authentication: Authentication) {
        self.newAccount = NewAccount(
            name: newAccount.name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: newAccount.email.trimmingCharacters(in: .whitespacesAndNewlines),
            mobileNumber: newAccount.mobileNumber.trimmingCharacters(in: .whitespacesAndNewlines),
            password: newAccount.password)
        self.repository = repository
        self.authentication = authentication
    }

    func execute() {
        authentication.perform(in: run, refusal: refusal) { [repository, newAccount] () async throws(ErrorMessage) in
            try await repository.signUp(newAccount: newAccount)
        }
    }

    private var refusal: ErrorMessage? {
        guard newAccount.name.isEmpty || newAccount.email.isEmpty || newAccount.password.isEmpty else { return nil }
        return ErrorMessage(
            title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")
    }
}

// MARK: View

final class SignUpView: FormUserInterface, View {
    weak var interactionResponder: (any SignUpInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: FormViewState) {
        window.show(
            .signUp(FormScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signUp(let name, let email, let mobileNumber, let password):
            interactionResponder?.signUp(
                newAccount: NewAccount(
                    name: name, email: email, mobileNumber: mobileNumber, password: password))
        case .goBack:
            interactionResponder?.returnToWelcome()
        default:
            return false
        }
        return true
    }
}
