import KooberScreens

@MainActor
final class OnboardingView: StateView {
    private let userInteractions: OnboardingUserInteractions
    private let formFactory: any FormUserInteractionsFactory
    /// Of the form that is shown.
    private var signIn: SignInUserInteractions?
    private var signUp: SignUpUserInteractions?

    init(userInteractions: OnboardingUserInteractions, formFactory: any FormUserInteractionsFactory) {
        self.userInteractions = userInteractions
        self.formFactory = formFactory
    }

    func appear() {}

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
