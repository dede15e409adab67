import Foundation
import KooberKit
import KooberScreens
import PouchEntities

@MainActor
public protocol SignInInteractionResponder: ErrorInteractionResponder {
    func signIn(email: String, password: Secret)
    /// Follows the system, which has gone back already.
    func returnToWelcome()
}

/// The sign-in form.
///
/// A controller depends on protocols only, so that it can be tested with a fake user interface, observer and use cases.
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

// MARK: Use case

/// Signs in, and shows the signed-in app. Does nothing while a form is being sent.
@MainActor
public protocol SignInUseCaseFactory: AnyObject {
    func makeSignInUseCase(email: String, password: Secret) -> any CancelableUseCase
}

final class SignInUseCase: SingleRunUseCase, Cancelable {
    let run = UseCaseRun()
    private let email: String
    private let password: Secret
    private let repository: any UserSessionRepository
    private let authentication: Authentication

    init(
        email: String, password: Secret, repository: any UserSessionRepository, authentication: Authentication
    ) {
        self.email = email.trimmingCharacters(in: .whitespacesAndNewlines)
        self.password = password
        self.repository = repository
        self.authentication = authentication
    }

    func execute() {
        authentication.perform(in: run, refusal: refusal) {
            [repository, email, password] () async throws(ErrorMessage) in
            try await repository.signIn(email: email, password: password)
        }
    }

    private var refusal: ErrorMessage? {
        guard email.isEmpty || password.isEmpty else { return nil }
        return ErrorMessage(title: "Sign-in failed", message: "Enter your e-mail address and your password.")
    }
}

// MARK: View

final class SignInView: FormUserInterface, View {
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
