import KooberKit
import KooberScreens

/// Koober in Elements.
///
/// A view passes the user's actions to its interaction responder, the controller. The controller starts a use case, and
/// the use case changes a state store. An observer delivers the new state to the controller, which lets the user
/// interface render it.
@MainActor
public final class ElementsApp: KooberApp {
    private let window = Window()
    private let root: RootView
    private let main: any Controller
    private var hasStarted = false

    /// - Parameters:
    ///   - destination: the place at which the app starts, once that is possible.
    ///   - windowSizes: returns the current size of the window and each later one.
    ///   - analytics: receives a line for each event.
    public init(
        model: any KooberModelFactory, opening destination: Destination? = nil,
        windowSizes: @escaping @MainActor () -> AsyncStream<WindowSize> = { AsyncStream { $0.finish() } },
        analytics: (@MainActor (String) -> Void)? = nil
    ) {
        root = RootView(in: window)
        let container = AppContainer(
            model: model, destination: destination, root: root, updates: window.updates, windowSizes: windowSizes,
            analytics: analytics)
        main = container.makeMainController()
    }

    deinit {
        // Otherwise the app would follow a ride even after its release.
        Task { @MainActor [main] in main.deactivate() }
    }

    public var screen: KooberScreen? { window.screen }

    public func screens() -> AsyncStream<KooberScreen> { window.screens() }

    public func start() {
        guard !hasStarted else { return }
        hasStarted = true
        main.activate()
        window.updates.flush()
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        try window.perform(intention) { root.perform($0) }
    }
}
