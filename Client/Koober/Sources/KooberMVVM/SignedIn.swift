import KooberKit
import KooberMVVMCore
import KooberScreens
import Observation
import PouchEntities

/// The stages of a ride with the profile over them, until the session ends.
@MainActor
@Observable
public final class SignedInViewModel {
    public private(set) var isProfilePresented: Bool
    private let publisher: SignedInViewPublisher
    private let notSignedInResponder: any NotSignedInResponder
    private let followingSession = LatestTask()

    /// Follows the session, and reports its end unless the user signed out here.
    public init(
        userSession: UserSession, publisher: SignedInViewPublisher, userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder, isProfilePresented: Bool = false
    ) {
        self.publisher = publisher
        self.notSignedInResponder = notSignedInResponder
        self.isProfilePresented = isProfilePresented
        followingSession.run(for: self) { current in
            for await errorMessage in userSessionRepository.end(of: userSession) {
                current()?.notSignedInResponder.notSignedIn(errorMessage)
            }
        }
    }

    public var view: SignedInView { publisher.view }

    public func showProfile() { isProfilePresented = true }

    public func closeProfile() { isProfilePresented = false }
}

// MARK: View

@MainActor
protocol SignedInViewControllerFactory: AnyObject {
    func makeViewController(for view: SignedInView, in display: any Display) -> ScreenView
    func makeProfileViewController(in display: any Display) -> ScreenView
}

/// The view of the current stage, with the profile over it.
final class SignedInViewController: ScreenView {
    private let viewModel: SignedInViewModel
    private let viewControllerFactory: any SignedInViewControllerFactory
    private var child: ScreenView?
    private var profile: ScreenView?

    init(
        viewModel: SignedInViewModel, viewControllerFactory: any SignedInViewControllerFactory,
        in display: any Display
    ) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        super.init(in: display)
        bind({ viewModel.view }) { [weak self] view in
            self?.child = viewControllerFactory.makeViewController(for: view, in: display)
        }
        bind({ viewModel.isProfilePresented }) { [weak self] isPresented in
            self?.profile = isPresented ? viewControllerFactory.makeProfileViewController(in: display) : nil
            if !isPresented { display.show(profile: nil) }
        }
    }

    override func perform(_ intention: Intention) {
        if intention == .showProfile {
            viewModel.showProfile()
        } else {
            (profile ?? child)?.perform(intention)
        }
    }
}
