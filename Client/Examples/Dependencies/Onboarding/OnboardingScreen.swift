/// Holds the three screens of the onboarding. Each is made when it is first shown, so that this holds who makes them, too.
@MainActor
public final class OnboardingScreen {
    public let viewModel: OnboardingViewModel
    public private(set) lazy var welcome = makeWelcome()
    public private(set) lazy var signIn = makeSignIn()
    public private(set) lazy var signUp = makeSignUp()
    private let makeWelcome: () -> WelcomeScreen
    private let makeSignIn: () -> SignInScreen
    private let makeSignUp: () -> SignUpScreen

    public init(
        viewModel: OnboardingViewModel, welcome: @autoclosure @escaping () -> WelcomeScreen,
        signIn: @autoclosure @escaping () -> SignInScreen, signUp: @autoclosure @escaping () -> SignUpScreen
    ) {
        self.viewModel = viewModel
        makeWelcome = welcome
        makeSignIn = signIn
        makeSignUp = signUp
    }
}
