import Foundation
import KooberKit
import KooberMVVM
import KooberScenarios
import PouchEntities
import PouchTesting
import Synchronization

/// A trip from Sydney to the Opera House with its ride options.
struct SampleTrip {
    let world = World(SampleService())
    let session = Fixture.session()
    let pickup = SampleService.sydney
    let dropoff = NamedLocation(
        name: "Sydney Opera House", location: GeoPoint(latitude: -33.8568, longitude: 151.2153))

    var waypoints: RideWaypoints { RideWaypoints(pickupLocation: pickup, dropoffLocation: dropoff.location) }

    func options() async -> [PricedRideOption] {
        await SampleService().options(for: waypoints)
    }

    func ride(_ status: RideStatus = .requested) -> Ride {
        Ride(
            id: "rid_1", status: status, waypoints: waypoints, rideOptionID: "wallaby", fare: Fixture.euros(1000),
            driver: nil, etaSeconds: nil, createdAt: Date.sample, history: [])
    }

    var error: ErrorMessage { ErrorMessage(title: "No connection", message: "Try again later.") }
}

/// Records the calls of a view model.
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
        case preparedRequest
        case accepted(Ride)
        case requestFailed
        case startNewRide, closeProfile
    }

    private(set) var events: [Event] = []
    /// An error to throw from calls that may throw.
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
    CloseProfileResponder, RideRequestResponder
{
    func userLocationDetermined(at pickupLocation: GeoPoint) { events.append(.userLocationDetermined(pickupLocation)) }
    func activeRideFound(_ ride: Ride) { events.append(.activeRideFound(ride)) }
    func startNewRide() { events.append(.startNewRide) }
    func closeProfile() { events.append(.closeProfile) }
    func prepareForRideRequest() throws(IllegalTransition) { try respond(.preparedRequest) }
    func newRideRequestAccepted(_ ride: Ride) { events.append(.accepted(ride)) }
    func newRideRequestFailed() { events.append(.requestFailed) }
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

/// Rides whose updates the test sends, several at once if needed.
final class TestRides: NewRideRepository {
    let cancelling = CallGate<Ride, Ride>()
    private let followers = Mutex<(count: Int, last: AsyncThrowingStream<Ride, any Error>.Continuation?)>((0, nil))
    private let left = Mutex(false)

    /// The number of calls to `updates(of:)`.
    var followed: Int { followers.withLock { $0.count } }
    /// Whether a follower cancelled.
    var isLeft: Bool { left.withLock { $0 } }

    func update(_ ride: Ride) {
        followers.withLock { $0.last }?.yield(ride)
    }

    func lose(_ error: ErrorMessage) {
        followers.withLock { $0.last }?.finish(throwing: error)
    }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        throw ErrorMessage(title: "Request failed", message: "These rides are only followed.")
    }

    func activeRide() async throws(ErrorMessage) -> Ride? { nil }

    func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride {
        try await cancelling.call(ride) { () async throws(ErrorMessage) in
            ride.applying(RideUpdate(status: .cancelledByRider))
        }
    }

    func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Ride.self)
        continuation.onTermination = { [weak self] in
            guard case .cancelled = $0 else { return }
            self?.left.withLock { $0 = true }
        }
        followers.withLock { $0 = ($0.count + 1, continuation) }
        return stream
    }
}
