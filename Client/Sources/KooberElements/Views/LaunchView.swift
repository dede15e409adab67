import KooberScreens

final class LaunchView: LaunchUserInterface, View {
    weak var interactionResponder: (any ErrorInteractionResponder)?
    private let window: Window

    init(window: Window) { self.window = window }

    func render(newState: LaunchViewState) {
        window.show(.launching, error: newState.error, in: self, errorResponder: interactionResponder)
    }
}
