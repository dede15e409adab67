import KooberScreens
import PouchEntities

/// The state while the user is signed out.
public struct OnboardingState: Equatable, Sendable {
    /// Leaving a form removes its state and its errors.
    public enum Screen: Equatable, Sendable {
        case welcoming
        case signingIn(FormState)
        case signingUp(FormState)
    }

    public internal(set) var screen = Screen.welcoming
    /// The errors of the session before.
    public internal(set) var errors: [ErrorToPresent] = []

    /// The shown form; nil on the welcome screen.
    public internal(set) var form: FormState? {
        get {
            switch screen {
            case .welcoming: nil
            case .signingIn(let form), .signingUp(let form): form
            }
        }
        set {
            guard let newValue else { return }
            switch screen {
            case .welcoming: break
            case .signingIn: screen = .signingIn(newValue)
            case .signingUp: screen = .signingUp(newValue)
            }
        }
    }

    func isSending(_ request: SerialNumber) -> Bool {
        form?.progress == .sending(request)
    }

    var errorsToPresent: [ErrorToPresent] {
        errors + (form?.errors ?? [])
    }
}

public enum OnboardingAction: Equatable, Sendable {
    case goToSignIn
    case goToSignUp
    /// The system has gone back already.
    case returnedToWelcome
    case form(FormAction)
    case signedIn(UserSession, scope: SerialNumber, request: SerialNumber)
    case finishedPresenting(ErrorToPresent.ID)
}

extension Reducers {
    /// Handles all actions but a sign-in, which ends onboarding.
    static func onboarding(_ state: OnboardingState, _ action: OnboardingAction) -> OnboardingState {
        var state = state
        switch action {
        case .goToSignIn: if state.screen == .welcoming { state.screen = .signingIn(FormState()) }
        case .goToSignUp: if state.screen == .welcoming { state.screen = .signingUp(FormState()) }
        case .returnedToWelcome: if state.form?.progress == .idle { state.screen = .welcoming }
        case .form(let action): state.form = state.form.map { form($0, action) }
        case .finishedPresenting(let id):
            state.errors.removeAll { $0.id == id }
            state.form?.errors.removeAll { $0.id == id }
        case .signedIn: break
        }
        return state
    }
}

// MARK: User interactions

@MainActor
struct OnboardingUserInteractions {
    let actionDispatcher: any ActionDispatcher<OnboardingAction>

    func goToSignIn() {
        actionDispatcher.dispatch(.goToSignIn)
    }

    func goToSignUp() {
        actionDispatcher.dispatch(.goToSignUp)
    }

    func returnedToWelcome() {
        actionDispatcher.dispatch(.returnedToWelcome)
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        actionDispatcher.dispatch(.finishedPresenting(error.id))
    }
}

// MARK: View

final class OnboardingView: StateView {
    private let userInteractions: OnboardingUserInteractions
    private let formFactory: any FormUserInteractionsFactory
    private var signIn: SignInUserInteractions?
    private var signUp: SignUpUserInteractions?

    init(userInteractions: OnboardingUserInteractions, formFactory: any FormUserInteractionsFactory) {
        self.userInteractions = userInteractions
        self.formFactory = formFactory
    }

    func perform(_ intention: Intention) {
        switch intention {
        case .goToSignIn:
            signIn = formFactory.makeSignInUserInteractions()
            userInteractions.goToSignIn()
        case .goToSignUp:
            signUp = formFactory.makeSignUpUserInteractions()
            userInteractions.goToSignUp()
        case .goBack:
            (signIn, signUp) = (nil, nil)
            userInteractions.returnedToWelcome()
        case .signIn(let email, let password):
            signIn?.signIn(email: email, password: password)
        case .signUp(let name, let email, let mobileNumber, let password):
            signUp?.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        default: break
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        userInteractions.finishedPresenting(error)
    }
}

/// Makes new user interactions for each form that is shown.
@MainActor
protocol FormUserInteractionsFactory {
    func makeSignInUserInteractions() -> SignInUserInteractions
    func makeSignUpUserInteractions() -> SignUpUserInteractions
}

extension KooberScreen.Content {
    init(_ screen: OnboardingState.Screen) {
        self =
            switch screen {
            case .welcoming: .welcome
            case .signingIn(let form): .signIn(FormScreen(form))
            case .signingUp(let form): .signUp(FormScreen(form))
            }
    }
}
