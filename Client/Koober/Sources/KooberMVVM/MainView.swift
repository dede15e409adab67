import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// The part of the app that is shown.
public enum MainView: Hashable, Sendable {
    case launching
    case onboarding
    case signedIn(UserSession)
}

/// Switches between launch, onboarding and the signed-in app.
@MainActor
@Observable
public final class MainViewModel: SignedInResponder, NotSignedInResponder {
    public private(set) var view = MainView.launching
    private let errorMessages: ErrorMessages

    public init(errorMessages: ErrorMessages) {
        self.errorMessages = errorMessages
    }

    public func signedIn(to userSession: UserSession) {
        if case .signedIn = view { return }
        view = .signedIn(userSession)
    }

    /// The errors of the session end with it. If a session ends in two ways at once, only the first error is shown.
    public func notSignedIn(_ errorMessage: ErrorMessage?) {
        guard view != .onboarding else { return }
        errorMessages.end(with: errorMessage)
        view = .onboarding
    }
}

/// Whether the service can be reached.
@MainActor
@Observable
public final class ConnectivityViewModel {
    public private(set) var isOffline = false
    private let following = LatestTask()

    /// Starts to follow the connection.
    public init(connectivitySource: any ConnectivitySource) {
        following.run(for: self) { current in
            for await isOnline in connectivitySource.connectivity() { current()?.isOffline = !isOnline }
        }
    }
}

// MARK: View

@MainActor
protocol MainViewControllerFactory: AnyObject {
    func makeViewController(for view: MainView, in display: any Display) -> ScreenView
}

final class MainViewController: ScreenView {
    private let errorMessages: ErrorMessages
    private var child: ScreenView?

    init(
        viewModel: MainViewModel, errorMessages: ErrorMessages, connectivity: ConnectivityViewModel,
        viewControllerFactory: any MainViewControllerFactory, in display: any Display
    ) {
        self.errorMessages = errorMessages
        super.init(in: display)
        bind({ viewModel.view }) { [weak self] view in
            display.show(profile: nil)
            self?.child = viewControllerFactory.makeViewController(for: view, in: display)
            errorMessages.begin()
        }
        bind({ errorMessages.pending.first }) { display.show(error: $0) }
        bind({ connectivity.isOffline }) { display.show(isOffline: $0) }
    }

    override func perform(_ intention: Intention) {
        if intention == .acknowledgeError {
            errorMessages.acknowledge()
        } else {
            child?.perform(intention)
        }
    }
}
