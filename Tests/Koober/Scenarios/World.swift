import ClientTesting
import KooberKit
import PouchEntities
import Synchronization
import Testing

/// A model layer whose every answer waits until the test releases it.
///
/// It wraps another model layer, so that the same scenario runs over a service in memory and over a real server.
public final class World: KooberModelFactory {
    public let service: any KooberService

    public let readUserSession = CallGate<Void, UserSession?>()
    /// Takes the e-mail address.
    public let signIn = CallGate<String, UserSession>()
    public let signUp = CallGate<NewAccount, UserSession>()
    public let signOut = CallGate<UserSession, Void>()
    public let end = CallGate<UserSession, ErrorMessage>()
    public let userLocation = CallGate<Void, GeoPoint>()
    public let search = CallGate<String, [NamedLocation]>()
    public let rideOptions = CallGate<RideWaypoints, [PricedRideOption]>()
    public let activeRide = CallGate<Void, Ride?>()
    public let request = CallGate<NewRideRequest, Ride>()
    public let cancel = CallGate<Ride.ID, Ride>()
    /// The updates of followed rides.
    public let updates = CallGate<Ride, Ride>()

    private let made = Mutex<[ObjectIdentifier: Int]>([:])
    private let connectivity = SwitchedConnectivity()

    public init(_ service: any KooberService) { self.service = service }

    /// The number of parts of this type that the app made.
    public func count<Part>(of part: Part.Type) -> Int { made.withLock { $0[ObjectIdentifier(part), default: 0] } }

    /// Signs the rider in, as an earlier run of the app would.
    @discardableResult
    public func hasSignedIn(_ rider: Rider) async throws -> UserSession {
        let session = try await service.model.makeAuthRemoteAPI()
            .signIn(Credentials(email: rider.email, password: Secret(rider.password)))
        try await service.model.makeUserSessionDataStore().save(session)
        return session
    }

    /// Waits until the device stores such a session.
    public func stores(
        sourceLocation: SourceLocation = #_sourceLocation, _ isMeant: @Sendable (UserSession?) -> Bool
    ) async throws {
        var looks = Looks()
        while true {
            let session = try await service.model.makeUserSessionDataStore().readUserSession()
            if isMeant(session) { return }
            do { try await looks.pause() } catch {
                let stored = session.map { "the session \($0.id)" } ?? "no session"
                Issue.record("The device stores \(stored). \(error)", sourceLocation: sourceLocation)
                throw error
            }
        }
    }

    /// Cuts or restores the connection, as the app learns of it.
    public func isOnline(_ isOnline: Bool) { connectivity.isOnline(isOnline) }

    /// Requests a ride, as an earlier run of the app would.
    @discardableResult
    public func hasRide(_ rider: Rider) async throws -> Ride { try await requestsRide(try await hasSignedIn(rider)) }

    /// Requests a ride for the signed-in rider, as another device would. Returns nil if no rider is signed in.
    public func hasRideElsewhere() async throws -> Ride? {
        guard let session = try await service.model.makeUserSessionDataStore().readUserSession() else { return nil }
        return try await requestsRide(session)
    }

    private func requestsRide(_ session: UserSession) async throws -> Ride {
        let pickup = try await service.model.makeUserLocationSource().userLocation()
        let places = try await service.model.makeLocationRepository(for: session)
            .searchForLocations(using: "", near: pickup)
        let waypoints = RideWaypoints(pickupLocation: pickup, dropoffLocation: places[1].location)
        let options = try await service.model.makeRideOptionRepository(for: session).rideOptions(for: waypoints)
        return try await service.model.makeNewRideRepository(for: session)
            .request(NewRideRequest(waypoints: waypoints, option: options[0]))
    }

    /// Lets cancelled calls wait until they are released, as calls do that reached the service.
    public func keepsCancelledCalls(_ keeps: Bool = true) { for gate in ofSession { gate.keepsCancelled(keeps) } }

    /// Releases all calls that wait because of `keepsCancelledCalls`.
    public func answersWaitingCalls() async { for gate in ofSession { await gate.passesAllWaiting() } }

    private var ofSession: [any WaitingCalls] {
        [userLocation, search, rideOptions, activeRide, request, cancel, updates]
    }

    public func makeUserSessionDataStore() -> any UserSessionDataStore {
        gated(service.model.makeUserSessionDataStore())
    }

    public func makeAuthRemoteAPI() -> any AuthRemoteAPI { gated(service.model.makeAuthRemoteAPI()) }
    public func makeConnectivitySource() -> any ConnectivitySource { connectivity }
    public func makeUserLocationSource() -> any UserLocationSource { gated(service.model.makeUserLocationSource()) }

    public func makeLocationRepository(for userSession: UserSession) -> any LocationRepository {
        gated(service.model.makeLocationRepository(for: userSession))
    }

    public func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository {
        gated(service.model.makeRideOptionRepository(for: userSession))
    }

    public func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository {
        gated(service.model.makeNewRideRepository(for: userSession))
    }

    private func gated<Part: Sendable>(_ part: Part) -> Gated<Part> {
        made.withLock { $0[ObjectIdentifier(Part.self), default: 0] += 1 }
        return Gated(self, part)
    }
}

/// The service behind a world: in memory, or a real server with the model layer in front of it.
public protocol KooberService: Sendable {
    var model: any KooberModelFactory { get }
    /// Has an account and no rides, like `otherRider`.
    var rider: Rider { get }
    var otherRider: Rider { get }
    /// Lets time pass until the ride in progress has changed for its followers.
    func timePasses() async throws
    /// Ends the rider's sessions from another device, and lets the model layer notice.
    func endSessions(of rider: Rider) async throws
}

public struct Rider: Sendable, Hashable {
    public let name: String
    public let email: String
    public let mobileNumber: String
    public let password: String

    public init(name: String, email: String, mobileNumber: String, password: String) {
        (self.name, self.email, self.mobileNumber, self.password) = (name, email, mobileNumber, password)
    }
}
