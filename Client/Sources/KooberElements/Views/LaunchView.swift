import KooberKit
import KooberScreens

final class LaunchView: LaunchUserInterface, ContentView {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: LaunchViewState) {
        window.show(.launching, error: newState.error, in: self)
    }

    func perform(_ intention: Intention) -> Bool {
        false
    }

    func finishedPresenting(_ error: ErrorMessage) { interactionResponder?.finishedPresenting(error) }
}
