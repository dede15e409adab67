import Observation

/// The way through welcome, sign-in and sign-up.
@MainActor
@Observable
public final class OnboardingViewModel: GoToSignInNavigator, GoToSignUpNavigator {
    public private(set) var navigationAction = NavigationAction.present(view: OnboardingView.welcome)

    public init() {}

    public func navigateToSignIn() {
        navigationAction = .present(view: .signIn)
    }

    public func navigateToSignUp() {
        navigationAction = .present(view: .signUp)
    }

    /// The view has got there, whether it was asked to or its user went back.
    public func uiPresented(_ view: OnboardingView) {
        navigationAction = .presented(view: view)
    }
}
