import KooberKit
import KooberScreens

/// Koober with one store for its whole state.
@MainActor
public final class ReduxApp: KooberApp {
    public private(set) var screen: KooberScreen?
    /// nil unless actions are recorded. While it shows the past, no intention is offered.
    public let timeTravel: TimeTravel<AppState, AppAction>?
    private let displayedState: StatePublisher<AppState>
    private let mainView: MainView
    private var subscription: StateSubscription?
    private var watchers: [Int: AsyncStream<KooberScreen>.Continuation] = [:]
    private var lastWatcher = 0

    public init(
        model: any KooberModelFactory, lifetimes: (any LifetimeObserver)? = nil,
        debugging: ReduxDebugging = ReduxDebugging()
    ) {
        let container = AppDependencyContainer(model: model, lifetimes: lifetimes, debugging: debugging)
        timeTravel = container.timeTravel
        displayedState = container.displayedState
        mainView = container.makeMainView()
    }

    deinit {
        for watcher in watchers.values { watcher.finish() }
    }

    public func screens() -> AsyncStream<KooberScreen> {
        let (screens, watcher) = AsyncStream.makeStream(of: KooberScreen.self)
        if let screen { watcher.yield(screen) }
        lastWatcher += 1
        let id = lastWatcher
        watchers[id] = watcher
        watcher.onTermination = { [weak self] _ in
            Task { @MainActor in self?.watchers[id] = nil }
        }
        return screens
    }

    public func start() {
        guard subscription == nil else { return }
        subscription = displayedState.select { KooberScreen($0) }.subscribe { [weak self] in self?.show($0) }
        mainView.appear()
    }

    private func show(_ screen: KooberScreen) {
        self.screen = screen
        for watcher in watchers.values { watcher.yield(screen) }
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard let screen, screen.offers(intention), timeTravel?.history.past == nil else {
            throw UnofferedIntention(intention, on: screen)
        }
        mainView.perform(intention)
    }
}
