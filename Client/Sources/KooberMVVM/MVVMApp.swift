import KooberKit
import KooberScreens
import Observation

/// Koober in MVVM.
///
/// View models hold the state and do the work. Each view controller shows the state of its view model, and calls the
/// view model when the user acts. View models report to each other through responder protocols.
@MainActor
public final class MVVMApp: KooberApp {
    private let container: KooberAppDependencyContainer
    private let streams = ScreenStreams()
    private var window: Window?

    public init(model: any KooberModelFactory) {
        container = KooberAppDependencyContainer(model: model)
    }

    public var screen: KooberScreen? { window?.screen }

    public func screens() -> AsyncStream<KooberScreen> {
        streams.stream(from: screen)
    }

    public func start() {
        guard window == nil else { return }
        window = Window(root: container.makeMainViewController(), show: streams.show)
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard let window, window.screen.offers(intention) else { throw UnofferedIntention(intention, on: screen) }
        do {
            try window.perform(intention)
        } catch {
            throw UnofferedIntention(intention, on: screen)
        }
    }
}

/// Shows the root view with the alerts over it, and updates both when a view model changes.
@MainActor
final class Window {
    /// The latest update, which is published only once this turn of the main actor ends.
    private(set) var screen: KooberScreen
    private let root: any ViewController<KooberScreen>
    private let show: (KooberScreen) -> Void
    private var alerts = Alerts()

    init(root: any ViewController<KooberScreen>, show: @escaping (KooberScreen) -> Void) {
        self.root = root
        self.show = show
        screen = root.content
        observe()
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        defer { update() }
        if intention == .acknowledgeError {
            alerts.acknowledgeShown()
        } else {
            try root.perform(intention)
        }
    }

    private func update() {
        root.layout()
        alerts.update(with: root.errorMessages)
        screen = root.content
        screen.error = alerts.shown
    }

    /// Observation reports a change before it happens, so that the update waits for the next turn.
    private func observe() {
        withObservationTracking {
            update()
        } onChange: { [weak self] in
            Task { @MainActor in self?.observe() }
        }
        show(screen)
    }
}

/// Errors shown one at a time, in the order in which they came.
@MainActor
private struct Alerts {
    private var queue: [(error: PendingError, source: ErrorMessages)] = []

    var shown: ErrorNote? {
        queue.first.map { ErrorNote(title: $0.error.message.title, message: $0.error.message.message) }
    }

    /// Adds new errors, and removes those that were acknowledged or whose view model no longer exists.
    mutating func update(with sources: [ErrorMessages]) {
        let pending = sources.flatMap { source in source.pending.map { (error: $0, source: source) } }
        queue.removeAll { alert in !pending.contains { $0.error === alert.error } }
        queue += pending.filter { new in !queue.contains { $0.error === new.error } }
    }

    func acknowledgeShown() {
        guard let alert = queue.first else { return }
        alert.source.acknowledge(alert.error)
    }
}
