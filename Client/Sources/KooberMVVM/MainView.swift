import KooberKit
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
    public let errorMessages = ErrorMessages()

    public init() {}

    public func signedIn(to userSession: UserSession) throws(IllegalTransition) {
        if case .signedIn = view { throw IllegalTransition(from: "signed in") }
        view = .signedIn(userSession)
    }

    /// Does nothing during onboarding. If a session ends in two ways at once, only the first error is shown.
    public func notSignedIn(_ errorMessage: ErrorMessage?) {
        guard view != .onboarding else { return }
        view = .onboarding
        if let errorMessage { errorMessages.present(errorMessage) }
    }
}

/// Continues with a signed-in user.
@MainActor
public protocol SignedInResponder: AnyObject {
    /// - Throws: if a user is signed in already. That session stays.
    func signedIn(to userSession: UserSession) throws(IllegalTransition)
}

/// Continues without a signed-in user.
@MainActor
public protocol NotSignedInResponder: AnyObject {
    /// - Parameter errorMessage: the reason, if the user has to know it.
    func notSignedIn(_ errorMessage: ErrorMessage?)
}

// MARK: View

@MainActor
protocol MainViewControllerFactory: AnyObject {
    func makeViewController(for view: MainView) -> any ViewController<KooberScreen>
}

final class MainViewController: ViewController {
    private let viewModel: MainViewModel
    private let viewControllerFactory: any MainViewControllerFactory
    private var child: ChildViewController<MainView, KooberScreen>

    init(viewModel: MainViewModel, viewControllerFactory: any MainViewControllerFactory) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        child = ChildViewController(viewModel.view, make: viewControllerFactory.makeViewController)
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] + child.controller.errorMessages }

    func layout() {
        child.present(viewModel.view, make: viewControllerFactory.makeViewController)
        child.controller.layout()
    }

    var content: KooberScreen { child.controller.content }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        try child.controller.perform(intention)
    }
}
