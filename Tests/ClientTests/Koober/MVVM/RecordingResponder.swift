import KooberKit
import KooberMVVM
import PouchEntities

/// Answers to whatever a view model has to say, and remembers it.
@MainActor
final class RecordingResponder {
    enum Event: Hashable {
        case signedIn(UserSession)
        case notSignedIn(ErrorMessage?)
        case goToSignIn, goToSignUp
        case userLocationDetermined(GeoPoint)
        case activeRideFound(Ride)
        case dropOff(NamedLocation)
        case cancelDropoff
        case pickUp(PricedRideOption)
        case confirmed
        case accepted(Ride)
        case failed(ErrorMessage)
        case startNewRide, closeProfile
    }

    private(set) var events: [Event] = []
    /// Thrown where a responder may refuse.
    var refusal: IllegalTransition?

    private func respond(_ event: Event) throws(IllegalTransition) {
        if let refusal { throw refusal }
        events.append(event)
    }
}

extension RecordingResponder: SignedInResponder, NotSignedInResponder, GoToSignInNavigator, GoToSignUpNavigator {
    func signedIn(to userSession: UserSession) { events.append(.signedIn(userSession)) }
    func notSignedIn(_ errorMessage: ErrorMessage?) { events.append(.notSignedIn(errorMessage)) }
    func navigateToSignIn() { events.append(.goToSignIn) }
    func navigateToSignUp() { events.append(.goToSignUp) }
}

extension RecordingResponder: UserLocationDeterminedResponder, ActiveRideFoundResponder, StartNewRideResponder,
    CloseProfileResponder, RideRequestConfirmedResponder, NewRideRequestAcceptedResponder, NewRideRequestFailedResponder
{
    func userLocationDetermined(at pickupLocation: GeoPoint) { events.append(.userLocationDetermined(pickupLocation)) }
    func activeRideFound(_ ride: Ride) { events.append(.activeRideFound(ride)) }
    func startNewRide() { events.append(.startNewRide) }
    func closeProfile() { events.append(.closeProfile) }
    func rideRequestConfirmed() throws(IllegalTransition) { try respond(.confirmed) }
    func newRideRequestAccepted(_ ride: Ride) { events.append(.accepted(ride)) }
    func newRideRequestFailed(_ errorMessage: ErrorMessage) { events.append(.failed(errorMessage)) }
}

extension RecordingResponder: DropoffLocationDeterminedResponder, CancelDropoffLocationSelectionResponder,
    RideOptionDeterminedResponder
{
    func dropOffUser(at dropoffLocation: NamedLocation) throws(IllegalTransition) {
        try respond(.dropOff(dropoffLocation))
    }
    func cancelDropoffLocationSelection() throws(IllegalTransition) { try respond(.cancelDropoff) }
    func pickUpUser(in option: PricedRideOption) throws(IllegalTransition) { try respond(.pickUp(option)) }
}
