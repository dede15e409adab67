import KooberScreens
import PouchEntities

/// The part of the app that is shown.
enum MainContent: Equatable, Sendable {
    case launching
    case onboarding
    case signedIn(scope: SerialNumber, UserSession)
}

extension AppState {
    var content: MainContent {
        switch self {
        case .launching: .launching
        case .onboarding: .onboarding
        case .signedIn(let state): .signedIn(scope: state.scope, state.userSession)
        }
    }
}

/// Switches between launch, onboarding and the signed-in app.
@MainActor
final class MainView {
    private let content: StatePublisher<MainContent>
    private let errorToPresent: LatestState<ErrorToPresent?>
    private let viewFactory: any MainViewFactory
    private var subscription: StateSubscription?
    private var child: (any StateView)?

    init(
        content: StatePublisher<MainContent>, errorToPresent: StatePublisher<ErrorToPresent?>,
        viewFactory: any MainViewFactory
    ) {
        self.content = content
        self.errorToPresent = LatestState(errorToPresent)
        self.viewFactory = viewFactory
    }

    func appear() {
        subscription = content.subscribe { [weak self] in self?.show($0) }
    }

    private func show(_ content: MainContent) {
        child =
            switch content {
            case .launching: viewFactory.makeLaunchView()
            case .onboarding: viewFactory.makeOnboardingView()
            case .signedIn(let scope, let session): viewFactory.makeSignedInView(scope: scope, userSession: session)
            }
        child?.appear()
    }

    func perform(_ intention: Intention) {
        if intention != .acknowledgeError {
            child?.perform(intention)
        } else if case .some(let error?) = errorToPresent.value {
            child?.finishedPresenting(error)
        }
    }
}

@MainActor
protocol MainViewFactory {
    func makeLaunchView() -> any StateView
    func makeOnboardingView() -> any StateView
    func makeSignedInView(scope: SerialNumber, userSession: UserSession) -> any StateView
}

// MARK: Views

/// A view of one part of the state. It turns what the user does into calls of user interactions.
@MainActor
protocol StateView: AnyObject {
    /// Called once, when the view is shown.
    func appear()
    func perform(_ intention: Intention)
    /// Receives every acknowledged error. Does nothing if the error belongs to another view.
    func finishedPresenting(_ error: ErrorToPresent)
}

extension StateView {
    func appear() {}
    func perform(_ intention: Intention) {}
}
