import KooberKit
import Observation
import PouchEntities

/// The way from a place to a ride and on to the next, with a profile over it, for as long as the session lasts.
///
/// Each method throws `IllegalTransition` where its step does not follow.
@MainActor
@Observable
public final class SignedInViewModel: UserLocationDeterminedResponder, ActiveRideFoundResponder,
    RideRequestConfirmedResponder, NewRideRequestAcceptedResponder, NewRideRequestFailedResponder,
    StartNewRideResponder,
    CloseProfileResponder
{
    public private(set) var view = SignedInView.gettingUsersLocation
    public private(set) var isProfilePresented = false
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

    /// Tells when the session ends elsewhere.
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

    public func rideRequestConfirmed() throws(IllegalTransition) {
        guard case .pickMeUp = view, !isProfilePresented, !isSendingRideRequest else {
            throw IllegalTransition(from: view)
        }
        isSendingRideRequest = true
    }

    public func newRideRequestFailed(_ errorMessage: ErrorMessage) {
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

    /// - Throws: where it is open, and while a request is being sent.
    public func showProfile() throws(IllegalTransition) {
        guard !isProfilePresented, !isSendingRideRequest else { throw IllegalTransition(from: view) }
        isProfilePresented = true
    }

    public func closeProfile() throws(IllegalTransition) {
        guard isProfilePresented else { throw IllegalTransition(from: view) }
        isProfilePresented = false
    }
}
