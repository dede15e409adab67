import ClientTesting
import Foundation
import KooberKit
import KooberMVVM
import KooberScenarios
import KooberTexts
import PouchEntities
import PouchTesting
import Synchronization

/// A trip from Sydney to the Opera House in a world whose answers wait for the test.
struct SampleTrip {
    let world = World(SampleService())
    let session = Fixture.session()
    let pickup = SampleService.sydney
    let dropoff = NamedLocation(name: "Sydney Opera House", location: GeoPoint(latitude: -33.8568, longitude: 151.2153))
    let manly = NamedLocation(name: "Manly", location: GeoPoint(latitude: -33.7969, longitude: 151.2840))

    var waypoints: RideWaypoints { RideWaypoints(pickupLocation: pickup, dropoffLocation: dropoff.location) }

    var userSessionRepository: any UserSessionRepository {
        KooberUserSessionRepository(dataStore: world.makeUserSessionDataStore(), remoteAPI: world.makeAuthRemoteAPI())
    }

    func options() async -> [PricedRideOption] { await SampleService().options(for: waypoints) }

    func ride(_ status: RideStatus = .requested) -> Ride {
        Ride(
            id: "rid_1", status: status, waypoints: waypoints, rideOptionID: "wallaby", fare: Fixture.euros(1000),
            driver: nil, etaSeconds: nil, createdAt: Date.sample, history: [])
    }

    @MainActor
    func signInViewModel(_ responder: any SignedInResponder, _ errorMessages: ErrorMessages) -> SignInViewModel {
        SignInViewModel(
            userSessionRepository: userSessionRepository,
            submission: FormSubmission(signedInResponder: responder, errorMessages: errorMessages))
    }

    @MainActor
    func signUpViewModel(_ responder: any SignedInResponder, _ errorMessages: ErrorMessages) -> SignUpViewModel {
        SignUpViewModel(
            userSessionRepository: userSessionRepository,
            submission: FormSubmission(signedInResponder: responder, errorMessages: errorMessages))
    }

    @MainActor
    func gettingUsersLocationViewModel(
        _ publisher: SignedInViewPublisher, _ errorMessages: ErrorMessages
    ) -> GettingUsersLocationViewModel {
        GettingUsersLocationViewModel(
            newRideRepository: world.makeNewRideRepository(for: session),
            userLocationSource: world.makeUserLocationSource(), publisher: publisher, errorMessages: errorMessages)
    }

    /// Each is another error with the same text.
    var error: ErrorMessage { ErrorMessage(title: .somethingWentWrong, message: .unreachable) }
}

/// Records the calls of a view model to its responders.
@MainActor final class RecordingResponder {
    enum Event: Hashable {
        case signedIn(UserSession)
        case notSignedIn(ErrorMessage?)
        case dropOff(NamedLocation)
        case cancelDropoff
        case pickUp(PricedRideOption)
    }

    private(set) var events: [Event] = []
    /// Whether steps are not possible.
    var refuses = false

    private func respond(_ event: Event) -> Bool {
        if !refuses { events.append(event) }
        return !refuses
    }
}

extension RecordingResponder: SignedInResponder, NotSignedInResponder {
    func signedIn(to userSession: UserSession) { events.append(.signedIn(userSession)) }
    func notSignedIn(_ errorMessage: ErrorMessage?) { events.append(.notSignedIn(errorMessage)) }
}

extension RecordingResponder: DropoffLocationDeterminedResponder, CancelDropoffLocationSelectionResponder,
    RideOptionDeterminedResponder
{
    func dropOffUser(at dropoffLocation: NamedLocation) -> Bool { respond(.dropOff(dropoffLocation)) }
    func cancelDropoffLocationSelection() -> Bool { respond(.cancelDropoff) }
    func pickUpUser(in option: PricedRideOption) -> Bool { respond(.pickUp(option)) }
}

/// Rides whose updates the test sends, several at once if needed.
final class TestRides: NewRideRepository {
    let cancelling = CallGate<Ride.ID, Ride>()
    private let cancelled: Ride
    private let followers = Mutex<(count: Int, last: AsyncThrowingStream<Ride, any Error>.Continuation?)>((0, nil))
    private let left = Mutex(false)

    /// - Parameter cancelled: the answer to a cancellation.
    init(cancelled: Ride) { self.cancelled = cancelled }

    /// The number of calls to `updates(of:)`.
    var followed: Int { followers.withLock { $0.count } }
    /// Whether a follower cancelled.
    var isLeft: Bool { left.withLock { $0 } }
    func update(_ ride: Ride) { followers.withLock { $0.last }?.yield(ride) }
    func lose(_ error: ErrorMessage) { followers.withLock { $0.last }?.finish(throwing: error) }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        throw ErrorMessage(title: .rideNotRequested, message: .verbatim("These rides are only followed."))
    }

    func activeRide() async throws(ErrorMessage) -> Ride? { nil }

    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        try await cancelling.call(id) { [cancelled] () async throws(ErrorMessage) in cancelled }
    }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Ride.self)
        continuation.onTermination = { [weak self] in
            guard case .cancelled = $0 else { return }
            self?.left.withLock { $0 = true }
        }
        followers.withLock { $0 = ($0.count + 1, continuation) }
        return stream
    }
}
