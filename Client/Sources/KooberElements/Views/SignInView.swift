import KooberKit
import KooberScreens

final class SignInView: FormUserInterface, View {
    weak var interactionResponder: (any SignInInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: FormViewState) {
        window.show(
            .signIn(FormScreen(newState)), error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .signIn(let email, let password):
            interactionResponder?.signIn(email: email, password: Secret(password))
        case .goBack:
            interactionResponder?.returnToWelcome()
        default:
            return false
        }
        return true
    }
}
