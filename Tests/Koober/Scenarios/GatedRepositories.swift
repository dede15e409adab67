import KooberKit
import PouchEntities
import Synchronization

/// A part of the model layer whose calls wait at the gates of a world.
final class Gated<Part: Sendable>: Sendable {
    private let world: World
    private let part: Part

    init(_ world: World, _ part: Part) { (self.world, self.part) = (world, part) }
}

/// An app's access to the store of the device, which outlives the app.
extension Gated: UserSessionDataStore where Part == any UserSessionDataStore {
    func readUserSession() async throws(ErrorMessage) -> UserSession? {
        try await world.readUserSession.call(()) { [part] () async throws(ErrorMessage) in
            try await part.readUserSession()
        }
    }

    func save(_ userSession: UserSession) async throws(ErrorMessage) { try await part.save(userSession) }
    func delete(_ userSession: UserSession) async throws(ErrorMessage) { try await part.delete(userSession) }
}

extension Gated: AuthRemoteAPI where Part == any AuthRemoteAPI {
    func signIn(_ credentials: Credentials) async throws(ErrorMessage) -> UserSession {
        try await world.signIn.call(credentials.email) { [part] () async throws(ErrorMessage) in
            try await part.signIn(credentials)
        }
    }

    func signUp(_ account: NewAccount) async throws(ErrorMessage) -> UserSession {
        try await world.signUp.call(account) { [part] () async throws(ErrorMessage) in try await part.signUp(account) }
    }

    func signOut(_ userSession: UserSession) async throws(ErrorMessage) {
        try await world.signOut.call(userSession) { [part] () async throws(ErrorMessage) in
            try await part.signOut(userSession)
        }
    }

    func end(of userSession: UserSession) -> AsyncStream<ErrorMessage> {
        AsyncStream { [world, part] continuation in
            let task = Task {
                for await end in part.end(of: userSession) {
                    let passed = try? await world.end.call(userSession) { () async throws(ErrorMessage) in end }
                    if let passed { continuation.yield(passed) }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func onRenewal(_ store: @escaping SessionWriter) { part.onRenewal(store) }
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

extension Gated: UserLocationSource where Part == any UserLocationSource {
    func userLocation() async throws(ErrorMessage) -> GeoPoint {
        try await world.userLocation.call(()) { [part] () async throws(ErrorMessage) in try await part.userLocation() }
    }
}

extension Gated: LocationRepository where Part == any LocationRepository {
    func searchForLocations(using query: String, near pickupLocation: GeoPoint) async throws(ErrorMessage)
        -> [NamedLocation]
    {
        try await world.search.call(query) { [part] () async throws(ErrorMessage) in
            try await part.searchForLocations(using: query, near: pickupLocation)
        }
    }
}

extension Gated: RideOptionRepository where Part == any RideOptionRepository {
    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        try await world.rideOptions.call(waypoints) { [part] () async throws(ErrorMessage) in
            try await part.rideOptions(for: waypoints)
        }
    }
}

extension Gated: NewRideRepository where Part == any NewRideRepository {
    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        try await world.request.call(request) { [part] () async throws(ErrorMessage) in
            try await part.request(request)
        }
    }

    func activeRide() async throws(ErrorMessage) -> Ride? {
        try await world.activeRide.call(()) { [part] () async throws(ErrorMessage) in try await part.activeRide() }
    }

    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        try await world.cancel.call(id) { [part] () async throws(ErrorMessage) in try await part.cancel(id) }
    }

    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { [world, part] continuation in
            let task = Task {
                do {
                    for try await ride in part.updates(of: id) {
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
