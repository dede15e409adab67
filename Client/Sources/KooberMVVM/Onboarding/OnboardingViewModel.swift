import Observation

/// The way through welcome, sign-in and sign-up.
@MainActor
@Observable
public final class OnboardingViewModel: GoToSignInNavigator, GoToSignUpNavigator {
    public private(set) var navigationAction = NavigationAction.present(view: OnboardingView.welcome)

    public init() {}

    public func navigateToSignIn() throws(IllegalTransition) {
        try leaveWelcome(for: .signIn, by: #function)
    }

    public func navigateToSignUp() throws(IllegalTransition) {
        try leaveWelcome(for: .signUp, by: #function)
    }

    /// The view has got there, whether it was asked to or its user went back.
    public func uiPresented(_ view: OnboardingView) {
        navigationAction = .presented(view: view)
    }

    private func leaveWelcome(for view: OnboardingView, by action: String) throws(IllegalTransition) {
        guard navigationAction.view == .welcome else { throw IllegalTransition(from: navigationAction, by: action) }
        navigationAction = .present(view: view)
    }
}
