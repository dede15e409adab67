import KooberKit
import KooberScreens

final class GettingUserLocationView: GettingUserLocationUserInterface, ContentView {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: GettingUserLocationViewState) {
        window.show(.gettingUserLocation, error: newState.error, in: self)
    }

    func perform(_ intention: Intention) -> Bool {
        false
    }

    func finishedPresenting(_ error: ErrorMessage) { interactionResponder?.finishedPresenting(error) }
}
