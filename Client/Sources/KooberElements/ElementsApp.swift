import KooberKit
import KooberScreens

/// Koober in Elements.
///
/// A view passes what the user does to its interaction responder, the controller. The controller starts a use case, and
/// the use case changes a state store. An observer delivers the new state to the controller, which has the user
/// interface render it.
@MainActor
public final class ElementsApp: KooberApp {
    private let window: Window
    private let main: any Controller
    private var hasStarted = false

    public init(model: any KooberModelFactory) {
        let container = AppContainer(model: model)
        window = container.window
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
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard let screen, screen.offers(intention) else { throw UnofferedIntention(intention, on: screen) }
        window.perform(intention)
    }
}
