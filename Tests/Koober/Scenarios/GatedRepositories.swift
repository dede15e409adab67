import KooberKit
import PouchEntities
import Synchronization

/// An app's access to the store of the device, which outlives the app.
final class GatedUserSessionDataStore: UserSessionDataStore {
    private let world: World
    private let inner: any UserSessionDataStore

    init(_ world: World, _ inner: any UserSessionDataStore) {
        self.world = world
        self.inner = inner
    }

    func readUserSession() async throws(ErrorMessage) -> UserSession? {
        try await world.readUserSession.call(()) { [inner] () async throws(ErrorMessage) in
            try await inner.readUserSession()
        }
    }

    func save(_ userSession: UserSession) async throws(ErrorMessage) { try await inner.save(userSession) }
    func delete(_ userSession: UserSession) async throws(ErrorMessage) { try await inner.delete(userSession) }
}

final class GatedAuthRemoteAPI: AuthRemoteAPI {
    private let world: World
    private let inner: any AuthRemoteAPI

    init(_ world: World, _ inner: any AuthRemoteAPI) {
        self.world = world
        self.inner = inner
    }

    func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession {
        try await world.signIn.call(credentials.email) { [inner] () async throws(ErrorMessage) in
            try await inner.signIn(credentials)
        }
    }

    func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await world.signUp.call(account) { [inner] () async throws(ErrorMessage) in
            try await inner.signUp(account)
        }
    }

    func signOut(_ userSession: UserSession) async throws(ErrorMessage) {
        try await world.signOut.call(userSession) { [inner] () async throws(ErrorMessage) in
            try await inner.signOut(userSession)
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

    func onRenewal(_ store: @escaping SessionWriter) { inner.onRenewal(store) }
}

/// A connection that a test cuts and restores.
final class SwitchedConnectivity: ConnectivitySource {
    private struct State {
        var isOnline = true
        var continuations: [AsyncStream<Bool>.Continuation] = []
    }

    private let state = Mutex(State())

    func isOnline(_ isOnline: Bool) {
        state.withLock { state in
            state.isOnline = isOnline
            state.continuations.removeAll { if case .terminated = $0.yield(isOnline) { true } else { false } }
        }
    }

    func connectivity() -> AsyncStream<Bool> {
        AsyncStream { continuation in
            state.withLock { state in
                continuation.yield(state.isOnline)
                state.continuations.append(continuation)
            }
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

    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        try await world.cancel.call(id) { [inner] () async throws(ErrorMessage) in try await inner.cancel(id) }
    }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { [world, inner] continuation in
            let task = Task {
                do {
                    for try await ride in inner.updates(of: id) {
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
