/// Goes on with somebody who has an account.
@MainActor
public protocol GoToSignInNavigator: AnyObject {
    /// - Throws: unless the welcome is shown.
    func navigateToSignIn() throws(IllegalTransition)
}
