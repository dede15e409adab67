/// Which screen of the onboarding is shown.
@MainActor
public final class OnboardingViewModel: GoToSignInNavigator, GoToSignUpNavigator {
    public enum View: Sendable {
        case welcome, signIn, signUp
    }

    public private(set) var view = View.welcome

    public init() {}

    public func goToSignIn() { view = .signIn }
    public func goToSignUp() { view = .signUp }
}
