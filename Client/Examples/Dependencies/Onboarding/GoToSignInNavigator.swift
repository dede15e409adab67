@MainActor
public protocol GoToSignInNavigator: AnyObject {
    func goToSignIn()
}
