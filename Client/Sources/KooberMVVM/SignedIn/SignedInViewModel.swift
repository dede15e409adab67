import KooberKit
import Observation
import PouchEntities

/// The way from a place to a ride and on to the next, with a profile over it, for as long as the session lasts.
@MainActor
@Observable
public final class SignedInViewModel: UserLocationDeterminedResponder, ActiveRideFoundResponder,
    NewRideRequestAcceptedResponder, StartNewRideResponder, CloseProfileResponder
{
    public private(set) var view = SignedInView.gettingUsersLocation
    public private(set) var isProfilePresented = false
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

    public func userLocationDetermined(at pickupLocation: GeoPoint) {
        view = .pickMeUp(pickupLocation: pickupLocation)
    }

    public func activeRideFound(_ ride: Ride) {
        view = .waitingForPickup(ride)
    }

    public func newRideRequestAccepted(_ ride: Ride) {
        view = .waitingForPickup(ride)
    }

    public func startNewRide() {
        view = .gettingUsersLocation
    }

    public func showProfile() {
        isProfilePresented = true
    }

    public func closeProfile() {
        isProfilePresented = false
    }
}
