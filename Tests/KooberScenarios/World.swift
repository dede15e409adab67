import KooberKit
import PouchEntities
import Synchronization

/// What an app meets: a model layer whose every answer waits until the test lets it come.
///
/// It stands before any other model layer, so that a scenario runs the same over a service in memory and a real server.
public final class World: KooberModelFactory {
    public let service: any KooberService

    public let readUserSession = CallGate<Void, UserSession?>()
    /// Asked with the e-mail address.
    public let signIn = CallGate<String, UserSession>()
    public let signUp = CallGate<NewAccount, UserSession>()
    public let signOut = CallGate<UserSession, Void>()
    public let end = CallGate<UserSession, ErrorMessage>()
    public let userLocation = CallGate<Void, GeoPoint>()
    public let search = CallGate<String, [NamedLocation]>()
    public let rideOptions = CallGate<RideWaypoints, [PricedRideOption]>()
    public let activeRide = CallGate<Void, Ride?>()
    public let request = CallGate<NewRideRequest, Ride>()
    public let cancel = CallGate<Ride, Ride>()
    /// Each ride that somebody follows, as it is now.
    public let updates = CallGate<Ride, Ride>()

    private let made = Mutex<[String: Int]>([:])

    public init(_ service: any KooberService) {
        self.service = service
    }

    /// How often the app had that made.
    public func count(of name: String) -> Int { made.withLock { $0[name, default: 0] } }

    /// As if the rider had signed in when the app ran before.
    @discardableResult
    public func hasSignedIn(_ rider: Rider) async throws -> UserSession {
        try await service.model.makeUserSessionRepository(dataStore: service.model.makeUserSessionDataStore())
            .signIn(email: rider.email, password: Secret(rider.password))
    }

    /// As if the rider had asked for a ride when the app ran before.
    public func hasRide(_ rider: Rider) async throws -> Ride {
        try await requestsRide(try await hasSignedIn(rider))
    }

    /// As if whoever is signed in had asked for a ride on another device; nil for nobody.
    public func hasRideElsewhere() async throws -> Ride? {
        let sessions = service.model.makeUserSessionRepository(dataStore: service.model.makeUserSessionDataStore())
        guard let session = try await sessions.readUserSession() else { return nil }
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

    /// Cancelled calls wait on, and answer when they are let through.
    public func keepsCancelledCalls(_ keeps: Bool = true) {
        userLocation.keepsCancelled(keeps)
        search.keepsCancelled(keeps)
        rideOptions.keepsCancelled(keeps)
        activeRide.keepsCancelled(keeps)
        request.keepsCancelled(keeps)
        cancel.keepsCancelled(keeps)
        updates.keepsCancelled(keeps)
    }

    /// Lets through whatever still waits of the calls that `keepsCancelledCalls` is about.
    public func answersAllThatWaits() async throws {
        for _ in userLocation.waiting { _ = try? await userLocation.passes() }
        for _ in search.waiting { _ = try? await search.passes() }
        for _ in rideOptions.waiting { _ = try? await rideOptions.passes() }
        for _ in activeRide.waiting { _ = try? await activeRide.passes() }
        for _ in request.waiting { _ = try? await request.passes() }
        for _ in cancel.waiting { _ = try? await cancel.passes() }
        for _ in updates.waiting { _ = try? await updates.passes() }
    }

    public func makeUserSessionDataStore() -> any UserSessionDataStore {
        note("UserSessionDataStore")
        return OpenedUserSessionDataStore(service.model.makeUserSessionDataStore())
    }

    public func makeUserSessionRepository(dataStore: any UserSessionDataStore) -> any UserSessionRepository {
        note("UserSessionRepository")
        return GatedUserSessionRepository(self, service.model.makeUserSessionRepository(dataStore: dataStore))
    }

    public func makeUserLocationSource() -> any UserLocationSource {
        note("UserLocationSource")
        return GatedUserLocationSource(self, service.model.makeUserLocationSource())
    }

    public func makeLocationRepository(for userSession: UserSession) -> any LocationRepository {
        note("LocationRepository")
        return GatedLocationRepository(self, service.model.makeLocationRepository(for: userSession))
    }

    public func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository {
        note("RideOptionRepository")
        return GatedRideOptionRepository(self, service.model.makeRideOptionRepository(for: userSession))
    }

    public func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository {
        note("NewRideRepository")
        return GatedNewRideRepository(self, service.model.makeNewRideRepository(for: userSession))
    }

    private func note(_ name: String) {
        made.withLock { $0[name, default: 0] += 1 }
    }
}
