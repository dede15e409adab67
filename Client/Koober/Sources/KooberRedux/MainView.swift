import KooberKit
import KooberScreens
import PouchEntities

/// The part of the app that is shown.
enum MainContent: Equatable, Sendable {
    case launching
    case onboarding
    case signedIn(UserSession.ID)
}

extension AppState {
    var content: MainContent {
        switch stage {
        case .launching: .launching
        case .onboarding: .onboarding
        case .signedIn(let state): .signedIn(state.session.id)
        }
    }
}

/// The interactions that concern the whole app.
@MainActor
public protocol MainUserInteractions: AnyObject {
    func finishedPresentingError()
}

final class ReduxMainUserInteractions: MainUserInteractions {
    private let actionDispatcher: any ActionDispatcher<AppAction>
    private let effects: EffectRunner<AppEffect>

    init(
        state: StatePublisher<AppState>, actionDispatcher: any ActionDispatcher<AppAction>,
        connectivitySource: any ConnectivitySource
    ) {
        self.actionDispatcher = actionDispatcher
        effects = EffectRunner(
            state.select { $0.effects.intersection([.followConnectivity]) }, to: actionDispatcher
        ) { _, dispatch in
            for await isOnline in connectivitySource.connectivity() {
                dispatch(.connectivityChanged(isOffline: !isOnline))
            }
        }
    }

    func finishedPresentingError() { actionDispatcher.dispatch(.finishedPresentingError) }
}

/// Switches between launch, onboarding and the signed-in app, and shows the errors of all.
final class MainView: StateView {
    private let userInteractions: any MainUserInteractions
    private var child: StateView?

    init(
        state: StatePublisher<AppState>, userInteractions: any MainUserInteractions,
        viewFactory: any MainViewFactory, in display: any Display
    ) {
        self.userInteractions = userInteractions
        super.init(in: display)
        render(state.select(\.content)) { [weak self] content in
            display.show(profile: nil)
            self?.child =
                switch content {
                case .launching: viewFactory.makeLaunchView(in: display)
                case .onboarding: viewFactory.makeOnboardingView(in: display)
                case .signedIn: viewFactory.makeSignedInView(in: display)
                }
        }
        render(state.select(\.errorToPresent)) { display.show(error: $0) }
        render(state.select(\.isOffline)) { display.show(isOffline: $0) }
    }

    override func perform(_ intention: Intention) {
        if intention == .acknowledgeError {
            userInteractions.finishedPresentingError()
        } else {
            child?.perform(intention)
        }
    }
}

@MainActor
protocol MainViewFactory {
    func makeLaunchView(in display: any Display) -> StateView
    func makeOnboardingView(in display: any Display) -> StateView
    func makeSignedInView(in display: any Display) -> StateView?
}
