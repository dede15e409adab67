import KooberKit
import KooberScreens
import PouchEntities

public protocol SignInInteractionResponder: ErrorInteractionResponder {
    func signIn(email: String, password: Secret)
    /// Follows the system, which has already gone back.
    func returnToWelcome()
}

public typealias SignInUseCases = SignInUseCaseFactory & NavigateOnboardingUseCaseFactory
    & FinishedPresentingErrorUseCaseFactory

/// The sign-in form.
public final class SignInController: ScreenController<any SignInInteractionResponder, any SignInUseCases>,
    SignInInteractionResponder
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
    let authentication: Authentication

    func execute(in run: UseCaseRun<Self>) {
        authentication.perform(
            in: run, try Credentials(email: email, password: password), call: authentication.remoteAPI.signIn)
    }
}

// MARK: View

final class SignInView: ContentView<any SignInInteractionResponder> {
    override func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signIn(let email, let password): interactionResponder?.signIn(email: email, password: password)
        case .goBack: interactionResponder?.returnToWelcome()
        default: return super.perform(intention)
        }
        return true
    }
}
