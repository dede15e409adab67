@MainActor
public protocol GoToSignUpNavigator: AnyObject {
    func goToSignUp()
}
