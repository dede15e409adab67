import PouchData
import PouchEntities

/// Brings whoever is signed in from one place to another. A rider has one ride at a time.
///
/// A request that ended without a clear outcome (the connection broke, the answer was lost) may simply be tried again: as
/// long as nothing about it has changed, it bears the same idempotency key, and asks for one ride. `unresolvedRequests`
/// lists it, after a crash too where the store outlives the process.
public actor RideManager {
    let data: DataManager
    let account: AccountManager
    /// By the ride's id.
    var followed: [Ride.ID: FollowedRide] = [:]
    /// The ride that was seen last, and whose it is.
    var latest: (ride: Ride, owner: String)?

    public init(data: DataManager, account: AccountManager) {
        self.data = data
        self.account = account
        account.followers.add(self)
    }

    /// What there is to ride on at a pick-up, the smallest first; empty where there are no kangaroos.
    public func options(at pickup: GeoPoint) async throws(DataError) -> [RideOption] {
        try await data.rideOptions(at: pickup).items
    }

    /// What a trip costs, with each option that there is. A quote holds for whoever asked until it expires.
    public func quotes(for waypoints: RideWaypoints) async throws(DataError) -> [FareQuote] {
        try await data.quotes(for: waypoints).items
    }

    /// Asks for a ride.
    ///
    /// - Parameters:
    ///   - option: its id.
    ///   - quote: for this trip and option; without one, the fare is that of now.
    /// - Throws: among others `.rideInProgress`, `.quoteExpired` and `.quoteMismatch`, after which nothing was asked for.
    ///   Where the error's `leavesOutcomeOpen` says that this is not known, it may be tried again.
    public func request(
        _ waypoints: RideWaypoints, option: String, quote: FareQuote? = nil
    ) async throws(DataError) -> Ride {
        try await seeing { [data] () throws(DataError) in
            try await data.requestRide(waypoints, option: option, quoteId: quote?.id)
        }
    }

    /// - Throws: `.notFound` also for a ride of somebody else.
    public func ride(id: Ride.ID) async throws(DataError) -> Ride {
        try await seeing { [data] () throws(DataError) in try await data.ride(id: id) }
    }

    /// One page, the latest first.
    public func rides(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Ride> {
        try await data.rides(limit: limit, cursor: cursor)
    }

    /// The ride that is under way, as the server has it now; nil where there is none.
    public func active() async throws(DataError) -> Ride? {
        guard let ride = try await data.rides(limit: 1).items.first, !ride.status.isFinal else { return nil }
        return ride
    }

    /// Cancels a ride before the pick-up. Tried again after it ended without a clear outcome, it gives the ride as it was
    /// cancelled.
    ///
    /// - Throws: `.notCancellable` once the rider was picked up.
    public func cancel(_ id: Ride.ID) async throws(DataError) -> Ride {
        try await seeing { [data] () throws(DataError) in try await data.cancelRide(id: id) }
    }

    /// - Throws: `.rideNotCompleted`.
    public func receipt(of id: Ride.ID) async throws(DataError) -> RideReceipt {
        try await data.rideReceipt(id: id)
    }

    // MARK: Requests without a clear outcome

    /// The requests of whoever is signed in, also of an earlier process, of which it is not known whether they reached the
    /// server, the oldest first.
    public func unresolvedRequests() async throws(DataError) -> [UnresolvedRideRequest] {
        try await account.restore()
        guard let owner = account.session?.owner else { return [] }
        return try await data.unresolvedRideRequests(of: owner)
    }

    /// Sends a request again, with the same key and content: the ride, where it was asked for before; else it is now.
    ///
    /// - Throws: what kept it from being asked for; as long as the outcome is not known, it stays unresolved.
    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await seeing { [data] () throws(DataError) in try await data.resume(request) }
    }

    /// Forgets a request; whether the ride was asked for, `active` shows.
    public func giveUp(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await data.giveUp(request)
    }
}
