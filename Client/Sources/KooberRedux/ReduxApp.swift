import KooberKit
import KooberScreens

/// Koober in Redux, with one store for the whole state.
///
/// Views turn what the user does into calls of user interactions. These call the model layer and dispatch actions. The
/// reducers compute the next state, of which the app shows the screen.
@MainActor
public final class ReduxApp: KooberApp {
    public private(set) var screen: KooberScreen?
    /// nil unless actions are recorded. While it shows a past state, the app offers no intention.
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

extension KooberScreen {
    /// The screen that shows the state.
    public init(_ state: AppState) {
        let error = state.errorsToPresent.first.map {
            ErrorNote(title: $0.message.title, message: $0.message.message)
        }
        switch state {
        case .launching: self.init(.launching, error: error)
        case .onboarding(let state): self.init(Content(state.screen), error: error)
        case .signedIn(let state): self.init(Content(state.step), profile: ProfileScreen(state), error: error)
        }
    }
}
