@MainActor
public protocol GoToSignInNavigator: AnyObject {
    /// - Throws: unless the welcome is shown.
    func navigateToSignIn() throws(IllegalTransition)
}
