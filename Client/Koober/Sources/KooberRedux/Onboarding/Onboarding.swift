import KooberKit
import KooberScreens

/// The state while the user is signed out.
public struct OnboardingState: Codable, Equatable, Sendable {
    /// Leaving a form removes its state.
    public enum Screen: Codable, Equatable, Sendable {
        case welcoming
        case signingIn(FormScreen)
        case signingUp(FormScreen)
    }

    public var screen = Screen.welcoming
    public var errors: [ErrorMessage]
    /// For the user who signs in.
    public var destination: Destination?

    public init(errors: [ErrorMessage] = [], destination: Destination? = nil) {
        self.errors = errors
        self.destination = destination?.afterSigningIn
        switch destination?.form {
        case .signIn: screen = .signingIn(FormScreen())
        case .signUp: screen = .signingUp(FormScreen())
        case nil: break
        }
    }

    /// The shown form; nil on the welcome screen.
    public var form: FormScreen? {
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

    var isSending: Bool { form?.isBusy ?? false }

    public var effects: Set<OnboardingEffect> {
        switch screen {
        case .signingIn(let form) where form.isBusy: [.signIn]
        case .signingUp(let form) where form.isBusy: [.signUp]
        default: []
        }
    }
}

public enum OnboardingAction: Codable, Equatable, Sendable {
    case goToSignIn
    case goToSignUp
    /// The system has already gone back.
    case returnedToWelcome
    case sendingForm
    case signedIn(SessionState)
    /// The form is incomplete, or the service has refused it.
    case failed(ErrorMessage)
}

/// An effect without the input of the form, which must not be in the state.
public enum OnboardingEffect: Codable, Hashable, Sendable {
    case signIn
    case signUp
}

extension Reducers {
    /// Handles all actions except a sign-in, which ends onboarding.
    static func onboarding(_ state: inout OnboardingState, _ action: OnboardingAction) {
        switch action {
        case .goToSignIn: if state.screen == .welcoming { state.screen = .signingIn(FormScreen()) }
        case .goToSignUp: if state.screen == .welcoming { state.screen = .signingUp(FormScreen()) }
        case .returnedToWelcome: if !state.isSending { state.screen = .welcoming }
        case .sendingForm: state.form = FormScreen(isBusy: true)
        case .failed(let error):
            state.form = FormScreen(problems: error.fields)
            if error.fields.isEmpty { state.errors.append(error) }
        case .signedIn: break
        }
    }
}

// MARK: View

@MainActor
public protocol OnboardingUserInteractions: AnyObject {
    func goToSignIn()
    func goToSignUp()
    func returnedToWelcome()
}

final class ReduxOnboardingUserInteractions: OnboardingUserInteractions {
    private let actionDispatcher: any ActionDispatcher<OnboardingAction>

    init(actionDispatcher: any ActionDispatcher<OnboardingAction>) {
        self.actionDispatcher = actionDispatcher
    }

    func goToSignIn() { actionDispatcher.dispatch(.goToSignIn) }

    func goToSignUp() { actionDispatcher.dispatch(.goToSignUp) }

    func returnedToWelcome() { actionDispatcher.dispatch(.returnedToWelcome) }
}

/// The welcome screen and the two forms.
final class OnboardingView: StateView {
    private let userInteractions: any OnboardingUserInteractions
    private let signIn: any SignInUserInteractions
    private let signUp: any SignUpUserInteractions

    init(
        screen: StatePublisher<OnboardingState.Screen>, userInteractions: any OnboardingUserInteractions,
        signIn: any SignInUserInteractions, signUp: any SignUpUserInteractions, in display: any Display
    ) {
        self.userInteractions = userInteractions
        self.signIn = signIn
        self.signUp = signUp
        super.init(in: display)
        render(screen) { display.show(KooberScreen.Content($0)) }
    }

    override func perform(_ intention: Intention) {
        switch intention {
        case .goToSignIn: userInteractions.goToSignIn()
        case .goToSignUp: userInteractions.goToSignUp()
        case .goBack: userInteractions.returnedToWelcome()
        case .signIn(let email, let password): signIn.signIn(email: email, password: password)
        case .signUp(let name, let email, let mobileNumber, let password):
            signUp.signUp(name: name, email: email, mobileNumber: mobileNumber, password: password)
        default: break
        }
    }
}

extension KooberScreen.Content {
    init(_ screen: OnboardingState.Screen) {
        self =
            switch screen {
            case .welcoming: .welcome
            case .signingIn(let form): .signIn(form)
            case .signingUp(let form): .signUp(form)
            }
    }
}
