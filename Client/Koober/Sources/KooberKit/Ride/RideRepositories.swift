import KooberTexts
import PouchEntities
import PouchManagers

/// The rides of one user.
public protocol NewRideRepository: AnyObject, Sendable {
    /// Requests the ride. Repeating an unanswered request does not request a second ride, even in a later process.
    /// - Returns: the ride in progress if there is one, which may have another destination.
    func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride
    /// Returns the ride in progress, or nil. A request that an earlier process left unanswered is repeated first.
    func activeRide() async throws(ErrorMessage) -> Ride?
    func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride
    /// Yields the ride now and after each change, and finishes when the ride or the session ends.
    ///
    /// A final status that was yielded never changes.
    /// - Throws: an `ErrorMessage`, while iterating.
    func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error>
}

/// A ride to request.
public struct NewRideRequest: Codable, Sendable, Hashable {
    public let waypoints: RideWaypoints
    public let option: PricedRideOption

    public init(waypoints: RideWaypoints, option: PricedRideOption) {
        self.waypoints = waypoints
        self.option = option
    }
}

/// The rides of one user at the service.
public final class KooberNewRideRepository: NewRideRepository {
    private let rides: RideManager
    private let scope: SessionScope

    public init(rides: RideManager, account: AccountManager, userSession: UserSession) {
        self.rides = rides
        scope = SessionScope(userSession: userSession, account: account)
    }

    public func request(_ request: NewRideRequest) async throws(ErrorMessage) -> Ride {
        try await scope.perform(.rideNotRequested, uncertain: .request) { () throws(DataError) in
            let ride = try await ride(for: request)
            // The answered request replaces every earlier one that was not answered.
            for earlier in (try? await rides.unresolvedRequests()) ?? [] { try? await rides.discard(earlier) }
            return ride
        }
    }

    /// Repeats the latest unanswered request, which the service knows by its idempotency key, and discards earlier
    /// ones.
    public func activeRide() async throws(ErrorMessage) -> Ride? {
        try await scope.perform(.ridesNotFound) { () throws(DataError) in
            let requests = try await rides.unresolvedRequests()
            if let latest = requests.last {
                do throws(DataError) {
                    _ = try await rides.resume(latest)
                } catch {
                    // A refusal settles the request.
                    guard try await !rides.unresolvedRequests().contains(latest) else { throw error }
                }
            }
            for earlier in requests.dropLast() { try await rides.discard(earlier) }
            // The service may have received one of those.
            return try await rides.active()
        }
    }

    public func cancel(_ id: Ride.ID) async throws(ErrorMessage) -> Ride {
        try await scope.perform(.rideNotCancelled, uncertain: .cancellation) { () throws(DataError) in
            try await rides.cancel(id)
        }
    }

    public func updates(of id: Ride.ID) -> AsyncThrowingStream<Ride, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task { [rides, scope] in
                do {
                    try await scope.check()
                    var withoutDriver: Ride?
                    for try await ride in rides.follow(id) {
                        guard scope.isCurrent else { return continuation.finish() }
                        // Not final yet: the service may look for another driver at the same moment.
                        withoutDriver = ride.status == .cancelledByDriver ? ride : nil
                        if withoutDriver == nil { continuation.yield(ride) }
                    }
                    if let withoutDriver, scope.isCurrent { continuation.yield(withoutDriver) }
                    continuation.finish()
                } catch {
                    let failure = error as? DataError ?? DataError(.unexpected(code: nil))
                    continuation.finish(throwing: ErrorMessage(title: .rideNotFollowed, failure))
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

public protocol RideOptionRepository: AnyObject, Sendable {
    /// Returns the smallest option first, and nothing if no kangaroo is available.
    func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption]
}

/// A ride option with its fare for one trip.
public struct PricedRideOption: Codable, Sendable, Hashable, Identifiable {
    public let option: RideOption
    public let quote: FareQuote

    public var id: RideOption.ID { option.id }

    public init(option: RideOption, quote: FareQuote) {
        self.option = option
        self.quote = quote
    }
}

/// The options that the service offers at the pick-up location.
public final class KooberRideOptionRepository: RideOptionRepository {
    private let rides: RideManager
    private let scope: SessionScope

    public init(rides: RideManager, account: AccountManager, userSession: UserSession) {
        self.rides = rides
        scope = SessionScope(userSession: userSession, account: account)
    }

    /// Omits options without a fare.
    public func rideOptions(for waypoints: RideWaypoints) async throws(ErrorMessage) -> [PricedRideOption] {
        try await scope.perform(.optionsNotFound) { () throws(DataError) in
            async let pendingQuotes = rides.quotes(for: waypoints)
            let options = try await rides.options(at: waypoints.pickupLocation)
            let quotes: [FareQuote]
            do {
                quotes = try await pendingQuotes
            } catch {
                throw error as? DataError ?? DataError(.cancelled)
            }
            return options.compactMap { option in
                quotes.first { $0.rideOptionID == option.id }.map { PricedRideOption(option: option, quote: $0) }
            }
        }
    }
}

extension UncertainOutcome {
    fileprivate static let request = UncertainOutcome(title: .rideMaybeRequested, advice: .rideMaybeRequestedAdvice)
    fileprivate static let cancellation = UncertainOutcome(
        title: .rideMaybeCancelled, advice: .rideMaybeCancelledAdvice)
}
