import Foundation
import KooberKit
import KooberScreens
import PouchEntities

public protocol SignInInteractionResponder: ErrorInteractionResponder {
    func signIn(email: String, password: Secret)
    /// Follows the system, which has gone back already.
    func returnToWelcome()
}

public typealias SignInUseCases = SignInUseCaseFactory & NavigateOnboardingUseCaseFactory
    & FinishedPresentingErrorUseCaseFactory

/// The sign-in form.
public final class SignInController: ScreenController<
    any SignInInteractionResponder, FormViewState, any SignInUseCases
>, SignInInteractionResponder
{
    public required init(userInterface: UserInterface, observer: any Observer, useCases: any SignInUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
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

final class SignInView: View, ScreenUserInterface {
    weak var interactionResponder: (any SignInInteractionResponder)?

    func render(newState: FormViewState) {
        window.show(
            .signIn(FormScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signIn(let email, let password): interactionResponder?.signIn(email: email, password: password)
        case .goBack: interactionResponder?.returnToWelcome()
        default: return false
        }
        return true
    }
}
