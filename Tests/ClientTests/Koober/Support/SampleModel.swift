import KooberKit
import PouchEntities

/// The model layer of a service in memory. What it makes has no state: the service has all.
struct SampleModel: KooberModelFactory {
    let service: SampleService

    func makeUserSessionDataStore() -> any UserSessionDataStore { NoDataStore() }

    func makeUserSessionRepository(dataStore: any UserSessionDataStore) -> any UserSessionRepository {
        SampleUserSessionRepository(service: service)
    }

    func makeUserLocationSource() -> any UserLocationSource { SampleLocationSource() }

    func makeLocationRepository(for userSession: UserSession) -> any LocationRepository {
        SampleRepository(service: service, session: userSession)
    }

    func makeRideOptionRepository(for userSession: UserSession) -> any RideOptionRepository {
        SampleRepository(service: service, session: userSession)
    }

    func makeNewRideRepository(for userSession: UserSession) -> any NewRideRepository {
        SampleRepository(service: service, session: userSession)
    }
}

private final class NoDataStore: UserSessionDataStore {
    func readUserSession() -> UserSession? { nil }
    func save(userSession: UserSession) {}
    func delete(userSession: UserSession) {}
}

private final class SampleLocationSource: UserLocationSource {
    func userLocation() -> GeoPoint { SampleService.sydney }
}

private final class SampleUserSessionRepository: UserSessionRepository {
    private let service: SampleService

    init(service: SampleService) {
        self.service = service
    }

    func readUserSession() async throws(ErrorMessage) -> UserSession? { await service.readUserSession() }

    func signUp(newAccount: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await service.signUp(newAccount)
    }

    func signIn(email: String, password: Secret) async throws(ErrorMessage) -> UserSession {
        try await service.signIn(email: email, password: password.text)
    }

    func signOut(userSession: UserSession) async throws(ErrorMessage) { await service.signOut(userSession) }

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { [service] continuation in Task { await service.tellEnd(of: userSession, continuation) } }
    }
}

private final class SampleRepository: LocationRepository, RideOptionRepository, NewRideRepository {
    private let service: SampleService
    private let session: UserSession

    init(service: SampleService, session: UserSession) {
        self.service = service
        self.session = session
    }

    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    {
        await service.places(query)
    }

    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        await service.options(for: waypoints)
    }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        await service.request(request, by: session)
    }

    func activeRide() async throws(ErrorMessage) -> Ride? { await service.activeRide(of: session) }

    func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride { try await service.cancel(ride) }

    func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { [service] continuation in Task { await service.follow(ride, continuation) } }
    }
}
