@MainActor
public protocol GoToSignUpNavigator: AnyObject {
    func navigateToSignUp()
}
