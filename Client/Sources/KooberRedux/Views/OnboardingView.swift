import KooberKit
import KooberScreens

@MainActor
final class OnboardingView: StateView {
    private let userInteractions: any OnboardingUserInteractions
    private let signIn: any SignInUserInteractions
    private let signUp: any SignUpUserInteractions

    init(
        userInteractions: any OnboardingUserInteractions,
        signIn: any SignInUserInteractions,
        signUp: any SignUpUserInteractions
    ) {
        self.userInteractions = userInteractions
        self.signIn = signIn
        self.signUp = signUp
    }

    func appear() {}

    func perform(_ intention: Intention) {
        switch intention {
        case .goToSignIn: userInteractions.goToSignIn()
        case .goToSignUp: userInteractions.goToSignUp()
        case .goBack: userInteractions.returnedToWelcome()
        case .signIn(let email, let password):
            signIn.signIn(email: email, password: Secret(password))
        case .signUp(let name, let email, let mobileNumber, let password):
            signUp.signUp(name: name, email: email, mobileNumber: mobileNumber, password: Secret(password))
        default: break
        }
    }

    func finishedPresenting(_ error: ErrorToPresent) {
        userInteractions.finishedPresenting(error)
    }
}
