import Foundation
import KooberKit
import KooberScreens
import PouchEntities

protocol SignUpInteractionResponder: ErrorInteractionResponder {
    func signUp(newAccount: NewAccount)
    /// Follows the system, which has gone back already.
    func returnToWelcome()
}

typealias SignUpUseCases = SignUpUseCaseFactory & NavigateOnboardingUseCaseFactory
    & FinishedPresentingErrorUseCaseFactory

/// The sign-up form.
final class SignUpController: ScreenController<any SignUpInteractionResponder, FormViewState, any SignUpUseCases>,
    SignUpInteractionResponder
{
    required init(userInterface: UserInterface, observer: any Observer, useCases: any SignUpUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
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

struct SignUpUseCase: UseCaseSteps {
    let newAccount: NewAccount
    let repository: any UserSessionRepository
    let authentication: Authentication

    func execute(in run: UseCaseRun<Self>) {
        let account = NewAccount(
            name: newAccount.name.trimmingCharacters(in: .whitespacesAndNewlines),
            email: newAccount.email.trimmingCharacters(in: .whitespacesAndNewlines),
            mobileNumber: newAccount.mobileNumber.trimmingCharacters(in: .whitespacesAndNewlines),
            password: newAccount.password)
        let isComplete = !account.name.isEmpty && !account.email.isEmpty && !account.password.isEmpty
        authentication.perform(in: run, refusal: isComplete ? nil : .emptyField) {
            [repository] () async throws(ErrorMessage) in
            try await repository.signUp(newAccount: account)
        }
    }
}

extension ErrorMessage {
    fileprivate static var emptyField: ErrorMessage {
        ErrorMessage(title: "Sign-up failed", message: "Enter your name, your e-mail address and a password.")
    }
}

// MARK: View

final class SignUpView: View, ScreenUserInterface {
    weak var interactionResponder: (any SignUpInteractionResponder)?

    func render(newState: FormViewState) {
        window.show(
            .signUp(FormScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signUp(let name, let email, let mobileNumber, let password):
            interactionResponder?.signUp(
                newAccount: NewAccount(name: name, email: email, mobileNumber: mobileNumber, password: password))
        case .goBack: interactionResponder?.returnToWelcome()
        default: return false
        }
        return true
    }
}
