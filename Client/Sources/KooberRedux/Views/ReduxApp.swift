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
    private let streams = ScreenStreams()

    public init(model: any KooberModelFactory, debugging: ReduxDebugging = ReduxDebugging()) {
        let container = AppDependencyContainer(model: model, debugging: debugging)
        timeTravel = container.timeTravel
        displayedState = container.displayedState
        mainView = container.makeMainView()
    }

    public func screens() -> AsyncStream<KooberScreen> {
        streams.stream(from: screen)
    }

    public func start() {
        guard subscription == nil else { return }
        subscription = displayedState.select { KooberScreen($0) }.subscribe { [weak self] in self?.show($0) }
        mainView.appear()
    }

    private func show(_ screen: KooberScreen) {
        self.screen = screen
        streams.show(screen)
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard let screen, screen.offers(intention), timeTravel?.history.past == nil else {
            throw UnofferedIntention(intention, on: screen)
        }
        mainView.perform(intention)
    }
}
