/// Asks for an e-mail address and a password.
@MainActor
public protocol SignInUserInterface: AnyObject {
    func render(newState: FormViewState)
}
