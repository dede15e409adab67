import KooberScreens

final class GettingUserLocationView: GettingUserLocationUserInterface, View {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: GettingUserLocationViewState) {
        window.show(.gettingUserLocation, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
