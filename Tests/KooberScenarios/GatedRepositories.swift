import KooberKit
import PouchEntities

/// An app's access to the store of the device, which outlives the app.
final class OpenedUserSessionDataStore: UserSessionDataStore {
    private let inner: any UserSessionDataStore

    init(_ inner: any UserSessionDataStore) {
        self.inner = inner
    }

    func readUserSession() async throws -> UserSession? { try await inner.readUserSession() }
    func save(userSession: UserSession) async throws { try await inner.save(userSession: userSession) }
    func delete(userSession: UserSession) async throws { try await inner.delete(userSession: userSession) }
}

final class GatedUserSessionRepository: UserSessionRepository {
    private let world: World
    private let inner: any UserSessionRepository

    init(_ world: World, _ inner: any UserSessionRepository) {
        self.world = world
        self.inner = inner
    }

    func readUserSession() async throws(ErrorMessage) -> UserSession? {
        try await world.readUserSession.call(()) { [inner] () async throws(ErrorMessage) in
            try await inner.readUserSession()
        }
    }

    func signUp(newAccount: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await world.signUp.call(newAccount) { [inner] () async throws(ErrorMessage) in
            try await inner.signUp(newAccount: newAccount)
        }
    }

    func signIn(email: String, password: Secret) async throws(ErrorMessage) -> UserSession {
        try await world.signIn.call(email) { [inner] () async throws(ErrorMessage) in
            try await inner.signIn(email: email, password: password)
        }
    }

    func signOut(userSession: UserSession) async throws(ErrorMessage) {
        do {
            try await world.signOut.call(userSession) { [inner] () async throws(ErrorMessage) in
                try await inner.signOut(userSession: userSession)
            }
        } catch {
            // A failed sign-out still signs out on this device.
            try? await inner.signOut(userSession: userSession)
            throw error
        }
    }

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { [world, inner] continuation in
            let task = Task {
                for await end in inner.end(of: userSession) {
                    let passed = try? await world.end.call(userSession) { () async throws(ErrorMessage) in end }
                    if let passed { continuation.yield(passed) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

final class GatedUserLocationSource: UserLocationSource {
    private let world: World
    private let inner: any UserLocationSource

    init(_ world: World, _ inner: any UserLocationSource) {
        self.world = world
        self.inner = inner
    }

    func userLocation() async throws(ErrorMessage) -> GeoPoint {
        try await world.userLocation.call(()) { [inner] () async throws(ErrorMessage) in
            try await inner.userLocation()
        }
    }
}

final class GatedLocationRepository: LocationRepository {
    private let world: World
    private let inner: any LocationRepository

    init(_ world: World, _ inner: any LocationRepository) {
        self.world = world
        self.inner = inner
    }

    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    {
        try await world.search.call(query) { [inner] () async throws(ErrorMessage) in
            try await inner.searchForLocations(using: query, near: pickupLocation)
        }
    }
}

final class GatedRideOptionRepository: RideOptionRepository {
    private let world: World
    private let inner: any RideOptionRepository

    init(_ world: World, _ inner: any RideOptionRepository) {
        self.world = world
        self.inner = inner
    }

    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        try await world.rideOptions.call(waypoints) { [inner] () async throws(ErrorMessage) in
            try await inner.rideOptions(for: waypoints)
        }
    }
}

final class GatedNewRideRepository: NewRideRepository {
    private let world: World
    private let inner: any NewRideRepository

    init(_ world: World, _ inner: any NewRideRepository) {
        self.world = world
        self.inner = inner
    }

    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        try await world.request.call(request) { [inner] () async throws(ErrorMessage) in
            try await inner.request(request)
        }
    }

    func activeRide() async throws(ErrorMessage) -> Ride? {
        try await world.activeRide.call(()) { [inner] () async throws(ErrorMessage) in try await inner.activeRide() }
    }

    func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride {
        try await world.cancel.call(ride) { [inner] () async throws(ErrorMessage) in try await inner.cancel(ride) }
    }

    func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { [world, inner] continuation in
            let task = Task {
                do {
                    for try await ride in inner.updates(of: ride) {
                        continuation.yield(try await world.updates.call(ride) { () async throws(ErrorMessage) in ride })
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
