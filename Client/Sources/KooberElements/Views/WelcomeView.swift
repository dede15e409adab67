import KooberKit
import KooberScreens

final class WelcomeView: WelcomeUserInterface, ContentView {
    weak var interactionResponder: (any WelcomeInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: WelcomeViewState) {
        window.show(.welcome, error: newState.error, in: self)
    }

    func perform(_ intention: Intention) -> Bool {
        switch intention {
        case .goToSignIn: interactionResponder?.goToSignIn()
        case .goToSignUp: interactionResponder?.goToSignUp()
        default: return false
        }
        return true
    }

    func finishedPresenting(_ error: ErrorMessage) { interactionResponder?.finishedPresenting(error) }
}
