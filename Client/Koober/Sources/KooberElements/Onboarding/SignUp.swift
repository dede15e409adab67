import KooberKit
import KooberScreens
import PouchEntities

protocol SignUpInteractionResponder: ErrorInteractionResponder {
    func signUp(name: String, email: String, mobileNumber: String, password: Secret)
    /// Follows the system, which has already gone back.
    func returnToWelcome()
}

typealias SignUpUseCases = SignUpUseCaseFactory & NavigateOnboardingUseCaseFactory
    & FinishedPresentingErrorUseCaseFactory

/// The sign-up form.
final class SignUpController: ScreenController<any SignUpInteractionResponder, any SignUpUseCases>,
    SignUpInteractionResponder
{
    required init(userInterface: UserInterface, observer: any Observer, useCases: any SignUpUseCases) {
        super.init(userInterface: userInterface, observer: observer, useCases: useCases)
        userInterface.interactionResponder = self
    }

    func signUp(name: String, email: String, mobileNumber: String, password: Secret) {
        running.start(
            useCases.makeSignUpUseCase(name: name, email: email, mobileNumber: mobileNumber, password: password))
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
    func makeSignUpUseCase(name: String, email: String, mobileNumber: String, password: Secret) -> any CancelableUseCase
}

struct SignUpUseCase: UseCaseSteps {
    let name: String
    let email: String
    let mobileNumber: String
    let password: Secret
    let authentication: Authentication

    func execute(in run: UseCaseRun<Self>) {
        authentication.perform(
            in: run, try NewAccount(name: name, email: email, mobileNumber: mobileNumber, password: password),
            call: authentication.remoteAPI.signUp)
    }
}

// MARK: View

final class SignUpView: ContentView<any SignUpInteractionResponder> {
    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signUp(let name, let email, let mobileNumber, let password):
            interactionResponder?.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        case .goBack: interactionResponder?.returnToWelcome()
        default: return super.perform(intention)
        }
        return true
    }
}
