/// Asks for what an account needs.
@MainActor
public protocol SignUpUserInterface: AnyObject {
    func render(newState: FormViewState)
}
