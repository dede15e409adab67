import KooberKit
import KooberScreens

/// Koober in Redux, with one store for the whole state.
///
/// Views pass the user's actions to user interactions, which dispatch Redux actions. The reducers change the state. The
/// views render the parts of it to which they subscribe, and the user interactions perform the effects that it
/// requests.
@MainActor
public final class ReduxApp: KooberApp {
    /// nil unless actions are recorded. While it shows a past state, the app offers no intention.
    public let timeTravel: TimeTravel<AppState, AppAction>?
    private let container: AppDependencyContainer
    private let window = Window()
    private var main: MainView?
    private var travelling: Subscription?

    /// - Parameter state: the state in which the app starts; see `AppState(resuming:)` for restoring one.
    public init(
        model: any KooberModelFactory, state: AppState = AppState(), debugging: ReduxDebugging = ReduxDebugging()
    ) {
        timeTravel = debugging.recordedActions > 0 ? TimeTravel(start: state, limit: debugging.recordedActions) : nil
        container = AppDependencyContainer(
            model: model, state: state,
            middleware: [debugging.print.map(PrintingMiddleware.make), timeTravel?.middleware].compactMap { $0 },
            updates: window.updates)
    }

    /// - Parameter destination: the place at which the app starts, once that is possible.
    public convenience init(
        model: any KooberModelFactory, opening destination: Destination?, debugging: ReduxDebugging = ReduxDebugging()
    ) {
        self.init(
            model: model, state: AppState(.launching(LaunchingState(destination: destination))), debugging: debugging)
    }

    public var state: AppState { container.store.state }

    public var screen: KooberScreen? { window.screen }

    public func screens() -> AsyncStream<KooberScreen> { window.screens() }

    public func start() {
        guard main == nil else { return }
        main = container.makeMainView(in: window)
        travelling = timeTravel?.past.subscribe { [window] past in
            window.showTemporarily(past.map { KooberScreen($0) })
        }
        window.updates.flush()
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard timeTravel?.history.past == nil else { throw UnofferedIntention(intention, on: screen) }
        try window.perform(intention) { main?.perform($0) }
    }

    /// Waits for the persister, which writes changes that the views have already shown. The state contains its error,
    /// if any.
    public func finish() async {
        try? await container.userSessionStatePersister.finishWriting()
    }
}
