import KooberKit
import KooberScreens
import Observation
import PouchEntities

public enum SignedInView: Hashable, Sendable {
    case gettingUsersLocation
    case pickMeUp(pickupLocation: GeoPoint)
    /// With the ride as it was first reported.
    case waitingForPickup(Ride)
}

/// The way from the user's location to a ride and on to the next, with the profile over it, until the session ends.
///
/// Each method throws `IllegalTransition` if its step is not possible now.
@MainActor
@Observable
public final class SignedInViewModel: UserLocationDeterminedResponder, ActiveRideFoundResponder, RideRequestResponder,
    StartNewRideResponder, CloseProfileResponder
{
    public private(set) var view = SignedInView.gettingUsersLocation
    public private(set) var isProfilePresented = false
    /// The profile stays closed until the answer, so that the user sees the answer.
    private var isSendingRideRequest = false
    private let userSession: UserSession
    private let userSessionRepository: any UserSessionRepository
    private let notSignedInResponder: any NotSignedInResponder
    private let sessionEnd = LatestWork()

    public init(
        userSession: UserSession,
        userSessionRepository: any UserSessionRepository,
        notSignedInResponder: any NotSignedInResponder
    ) {
        self.userSession = userSession
        self.userSessionRepository = userSessionRepository
        self.notSignedInResponder = notSignedInResponder
    }

    /// Reports the end of the session by other means than signing out here.
    public func followUserSession() {
        sessionEnd.follow(userSessionRepository.end(of: userSession)) { [weak self] in
            self?.notSignedInResponder.notSignedIn($0)
        }
    }

    public func userLocationDetermined(at pickupLocation: GeoPoint) throws(IllegalTransition) {
        guard view == .gettingUsersLocation else { throw IllegalTransition(from: view) }
        view = .pickMeUp(pickupLocation: pickupLocation)
    }

    public func activeRideFound(_ ride: Ride) throws(IllegalTransition) {
        guard view == .gettingUsersLocation else { throw IllegalTransition(from: view) }
        view = .waitingForPickup(ride)
    }

    public func prepareForRideRequest() throws(IllegalTransition) {
        guard case .pickMeUp = view, !isProfilePresented, !isSendingRideRequest else {
            throw IllegalTransition(from: view)
        }
        isSendingRideRequest = true
    }

    public func newRideRequestFailed() {
        isSendingRideRequest = false
    }

    public func newRideRequestAccepted(_ ride: Ride) throws(IllegalTransition) {
        guard isSendingRideRequest else { throw IllegalTransition(from: view) }
        isSendingRideRequest = false
        view = .waitingForPickup(ride)
    }

    public func startNewRide() throws(IllegalTransition) {
        guard case .waitingForPickup = view else { throw IllegalTransition(from: view) }
        view = .gettingUsersLocation
    }

    /// - Throws: if the profile is shown already, or a ride request is being sent.
    public func showProfile() throws(IllegalTransition) {
        guard !isProfilePresented, !isSendingRideRequest else { throw IllegalTransition(from: view) }
        isProfilePresented = true
    }

    public func closeProfile() throws(IllegalTransition) {
        guard isProfilePresented else { throw IllegalTransition(from: view) }
        isProfilePresented = false
    }
}

// MARK: View

@MainActor
protocol SignedInViewControllerFactory: AnyObject {
    func makeViewController(for view: SignedInView) -> any ViewController<KooberScreen.Content>
    func makeProfileViewController() -> any ViewController<ProfileScreen>
}

/// The view of the current step, with the profile over it.
final class SignedInViewController: ViewController {
    private let viewModel: SignedInViewModel
    private let viewControllerFactory: any SignedInViewControllerFactory
    private var child: ChildViewController<SignedInView, KooberScreen.Content>
    private var profile: (any ViewController<ProfileScreen>)?

    init(viewModel: SignedInViewModel, viewControllerFactory: any SignedInViewControllerFactory) {
        self.viewModel = viewModel
        self.viewControllerFactory = viewControllerFactory
        child = ChildViewController(viewModel.view, make: viewControllerFactory.makeViewController)
        viewModel.followUserSession()
    }

    var errorMessages: [ErrorMessages] { child.controller.errorMessages }

    func layout() {
        child.present(viewModel.view, make: viewControllerFactory.makeViewController)
        child.controller.layout()
        if !viewModel.isProfilePresented {
            profile = nil
        } else if profile == nil {
            profile = viewControllerFactory.makeProfileViewController()
        }
    }

    var content: KooberScreen { KooberScreen(child.controller.content, profile: profile?.content) }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch (intention, profile) {
        case (.showProfile, _): try viewModel.showProfile()
        case (.goBack, .some): try viewModel.closeProfile()
        case (_, let profile?): try profile.perform(intention)
        case (_, nil): try child.controller.perform(intention)
        }
    }
}
