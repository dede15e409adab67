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
        try await scope.perform("Your ride was not requested", doubt: .request) { () throws(DataError) in
            let ride = try await ride(for: request)
            // Whatever was asked for before without an answer, this is what is wanted now; and it was got.
            for earlier in (try? await rides.unresolvedRequests()) ?? [] { try? await rides.giveUp(earlier) }
            return ride
        }
    }

    /// What an earlier process asked for last without hearing an answer is asked for again; the service knows it by its key.
    /// What it had asked for before that is not wanted any more.
    public func activeRide() async throws(ErrorMessage) -> Ride? {
        try await scope.perform("Your rides could not be looked up") { () throws(DataError) in
            let requests = try await rides.unresolvedRequests()
            if let latest = requests.last {
                do throws(DataError) {
                    _ = try await rides.resume(latest)
                } catch {
                    // One that was refused is settled, too.
                    guard try await !rides.unresolvedRequests().contains(latest) else { throw error }
                }
            }
            for earlier in requests.dropLast() { try await rides.giveUp(earlier) }
            // One of those may have arrived nevertheless.
            return try await rides.active()
        }
    }

    public func cancel(_ ride: Ride) async throws(ErrorMessage) -> Ride {
        try await scope.perform("Your ride was not cancelled", doubt: .cancellation) { () throws(DataError) in
            try await rides.cancel(ride.id)
        }
    }

    public func updates(of ride: Ride) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [rides, scope] in
                do {
                    try await scope.check()
                    var withoutDriver: Ride?
                    for try await ride in rides.follow(ride.id) {
                        guard scope.isCurrent else { return continuation.finish() }
                        // The service may look for another driver in the same moment.
                        withoutDriver = ride.status == .cancelledByDriver ? ride : nil
                        if withoutDriver == nil { continuation.yield(ride) }
                    }
                    if let withoutDriver, scope.isCurrent { continuation.yield(withoutDriver) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: ErrorMessage(title: "Your ride cannot be followed", error))
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func ride(for request: NewRideRequest) async throws(DataError) -> Ride {
        do throws(DataError) {
            return try await rides.request(
                request.waypoints, option: request.option.id, quote: request.option.quote)
        } catch {
            guard error.reason == .rideInProgress, let ride = try await rides.active() else { throw error }
            return ride
        }
    }
}

extension Doubt {
    fileprivate static let request = Doubt(
        title: "It is not known whether your ride was requested",
        advice:
            "Confirm a ride again to find out; you get one at most. Otherwise it is asked for again at the next start.")
    fileprivate static let cancellation = Doubt(
        title: "It is not known whether your ride was cancelled",
        advice: "You see it here as soon as the service tells. Cancel again if the ride goes on.")
}
