import KooberScreens

final class WelcomeView: WelcomeUserInterface, View {
    weak var interactionResponder: (any WelcomeInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: WelcomeViewState) {
        window.show(.welcome, error: newState.error, in: self, errorResponder: interactionResponder)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .goToSignIn: interactionResponder?.goToSignIn()
        case .goToSignUp: interactionResponder?.goToSignUp()
        default: return false
        }
        return true
    }
}
