import KooberKit
import KooberScreens

final class SignUpView: FormUserInterface, View {
    weak var interactionResponder: (any SignUpInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: FormViewState) {
        window.show(
            .signUp(FormScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signUp(let name, let email, let mobileNumber, let password):
            interactionResponder?.signUp(
                newAccount: NewAccount(
                    name: name, email: email, mobileNumber: mobileNumber, password: Secret(password)))
        case .goBack:
            interactionResponder?.returnToWelcome()
        default:
            return false
        }
        return true
    }
}
