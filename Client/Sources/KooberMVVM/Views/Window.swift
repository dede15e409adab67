import KooberScreens
import Observation

/// Shows the views and the alerts over them, and shows them again when a view model of theirs changes.
@MainActor
final class Window {
    private let root: any ViewController<KooberScreen>
    private let show: (KooberScreen) -> Void
    private var alerts = Alerts()

    init(root: any ViewController<KooberScreen>, show: @escaping (KooberScreen) -> Void) {
        self.root = root
        self.show = show
        observe()
    }

    /// As the view models are now, which may be shown only once this turn of the main actor has ended.
    var screen: KooberScreen {
        root.layout()
        alerts.update(with: root.errorMessages)
        var screen = root.content
        screen.error = alerts.shown
        return screen
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        if intention == .acknowledgeError {
            alerts.acknowledgeShown()
        } else {
            try root.perform(intention)
        }
    }

    /// What is told of a change comes before the change; what it came to is there in the next turn.
    private func observe() {
        show(
            withObservationTracking {
                screen
            } onChange: { [weak self] in
                Task { @MainActor in self?.observe() }
            })
    }
}
