import Foundation
import KooberKit
import KooberScreens
import PouchEntities

public protocol SignInInteractionResponder: ErrorInteractionResponder {
    func signIn(email: String, password: Secret)
    /// Follows the system, which has gone back already.
    func returnToWelcome()
}

/// The sign-in form.
///
/// A controller depends on protocols only, so that it can be tested with a fake user interface, observer and use cases.
public final class SignInController: ScreenController, SignInInteractionResponder {
    public typealias UserInterface = any ScreenUserInterface<any SignInInteractionResponder, FormViewState>
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

// MARK: Use case

/// Signs in, and shows the signed-in app. Does nothing while a form is being sent.
public protocol SignInUseCaseFactory: UseCaseFactory {
    func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase
}

struct SignInUseCase: UseCaseSteps {
    let email: String
    let password: Secret
    let repository: any UserSessionRepository
    let authentication: Authentication

    func execute(in run: UseCaseRun<Self>) {
        let email = email.trimmingCharacters(in: .whitespacesAndNewlines)
        let isComplete = !email.isEmpty && !password.isEmpty
        authentication.perform(in: run, refusal: isComplete ? nil : .emptyField) {
            [repository, password] () async throws(ErrorMessage) in
            try await repository.signIn(email: email, password: password)
        }
    }
}

extension ErrorMessage {
    fileprivate static var emptyField: ErrorMessage {
        ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    }
}

// MARK: View

final class SignInView: ScreenUserInterface, View {
    weak var interactionResponder: (any SignInInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: FormViewState) {
        window.show(
            .signIn(FormScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signIn(let email, let password):
            interactionResponder?.signIn(email: email, password: password)
        case .goBack:
            interactionResponder?.returnToWelcome()
        default:
            return false
        }
        return true
    }
}
