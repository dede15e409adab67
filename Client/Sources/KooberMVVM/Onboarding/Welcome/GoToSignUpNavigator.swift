/// Goes on with somebody who has no account yet.
@MainActor
public protocol GoToSignUpNavigator: AnyObject {
    /// - Throws: unless the welcome is shown.
    func navigateToSignUp() throws(IllegalTransition)
}
