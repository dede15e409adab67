import KooberKit
import KooberScreens

/// The whole app, built of Elements.
///
/// A user's intention goes from a view to its interaction responder, which starts a use case; the use case changes a
/// state store; an observer delivers the new state to the controller, which has the user interface render it.
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
        // A ride that is followed would be followed on.
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
