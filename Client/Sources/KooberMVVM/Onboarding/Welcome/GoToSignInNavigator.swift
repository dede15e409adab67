@MainActor
public protocol GoToSignInNavigator: AnyObject {
    func navigateToSignIn()
}
