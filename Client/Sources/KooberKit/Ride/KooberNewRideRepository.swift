import PouchEntities
import PouchManagers

/// One user's rides at the service.
public final class KooberNewRideRepository: NewRideRepository {
    private let rides: RideManager
    private let scope: SessionScope

    public init(rides: RideManager, account: AccountManager, userSession: UserSession) {
        self.rides = rides
        scope = SessionScope(userSession: userSession, account: account)
    }

    public func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        try await scope.perform("Your ride was not requested") { () throws(DataError) in
            let ride = try await ride(for: request)
            // Whatever was asked for before without an answer, this is what is wanted now; and it was got.
            for earlier in (try? await rides.unresolvedRequests()) ?? [] { try? await rides.giveUp(earlier) }
            return ride
        }
    }

    /// What an earlier process asked for without hearing an answer is asked for again; the service knows it by its key. It is
    /// given up where that cannot be done any more, as when its price has expired.
    public func activeRide() async throws(ErrorMessage) -> Ride? {
        try await scope.perform("Your ride cannot be found") { () throws(DataError) in
            for request in try await rides.unresolvedRequests() {
                do throws(DataError) {
                    _ = try await rides.resume(request)
                } catch {
                    guard !error.leavesOutcomeOpen else { throw error }
                    try await rides.giveUp(request)
                }
            }
            return try await rides.active()
        }
    }

    public func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride {
        try await scope.perform("Your ride was not cancelled") { () throws(DataError) in
            try await rides.cancel(ride.id)
        }
    }

    public func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [rides, scope] in
                do {
                    try await scope.check()
                    for try await ride in rides.follow(ride.id) {
                        guard scope.isCurrent else { break }
                        continuation.yield(ride)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: ErrorMessage(title: "Your ride cannot be followed", error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// With fresh prices a request is another one for the service, which says that a ride is under way where the earlier one
    /// had reached it: that ride is what was asked for.
    private func ride(for request: NewRideRequest) async throws(DataError) -> Ride {
        do throws(DataError) {
            return try await rides.request(
                request.waypoints, option: request.option.id, quote: request.option.quote)
        } catch {
            guard error.reason == .rideInProgress, let ride = try await rides.active(),
                ride.waypoints == request.waypoints, ride.rideOptionID == request.option.id
            else { throw error }
            return ride
        }
    }
}
