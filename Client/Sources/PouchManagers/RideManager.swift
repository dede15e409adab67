import PouchData
import PouchEntities

/// Rides for the signed-in customer, who can have one ride at a time.
///
/// A request with an unknown outcome (the connection was lost before the response) may be repeated: the same request
/// has the same idempotency key and results in one ride. `unresolvedRequests` lists such requests, even after a crash
/// if the store outlives the process.
///
///     let quotes = try await pouch.rides.quotes(for: waypoints)
///     let ride = try await pouch.rides.request(waypoints, option: quotes[0].rideOptionID, quote: quotes[0])
///     for try await ride in pouch.rides.follow(ride.id) { show(ride.status) }
public actor RideManager {
    /// A ride with subscribers, which share one connection.
    private struct FollowedRide {
        /// The owner of the session in which the ride is followed.
        let owner: String
        let subscribers = Subscribers<RideChanges.Event>(limit: RideManager.eventLimit)
        /// nil while it is being read.
        var ride: Ride?
        var relay: Task<Void, Never>?
    }

    /// The maximum number of events that wait for a slow subscriber. The oldest are discarded.
    private static let eventLimit = 100

    private let data: DataManager
    private let account: AccountManager
    private var followed: [Ride.ID: FollowedRide] = [:]
    /// The most recently seen ride, and its owner.
    private var latest: (ride: Ride, owner: String)?

    public init(data: DataManager, account: AccountManager) {
        self.data = data
        self.account = account
        account.followers.add(self)
    }

    /// The ride options at a pick-up, smallest first; empty outside the city.
    public func options(at pickup: GeoPoint) async throws(DataError) -> [RideOption] {
        try await data.rideOptions(at: pickup).items
    }

    /// A fare quote for each ride option of a trip. A quote is valid for the caller until it expires.
    public func quotes(for waypoints: RideWaypoints) async throws(DataError) -> [FareQuote] {
        try await data.quotes(for: waypoints).items
    }

    /// Requests a ride.
    ///
    /// - Parameters:
    ///   - option: the id of a ride option.
    ///   - quote: a quote for this trip and option; nil for the current fare.
    /// - Throws: among others, `.rideInProgress`, `.quoteExpired` and `.quoteMismatch`, after which no ride was
    ///   requested, and `.unreachable` if nothing was sent. If `mayHaveTakenEffect` of the error is true, the request
    ///   may be repeated.
    public func request(
        _ waypoints: RideWaypoints, option: String, quote: FareQuote? = nil
    ) async throws(DataError) -> Ride {
        try await recordingRide { [data] () throws(DataError) in
            try await data.requestRide(waypoints, option: option, quoteId: quote?.id)
        }
    }

    /// - Throws: `.notFound`, also for a ride of another customer.
    public func ride(id: Ride.ID) async throws(DataError) -> Ride {
        try await recordingRide { [data] () throws(DataError) in try await data.ride(id: id) }
    }

    /// One page of rides, newest first.
    public func rides(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Ride> {
        try await data.rides(limit: limit, cursor: cursor)
    }

    /// All rides, newest first.
    public nonisolated func all() -> AllPages<Ride> {
        AllPages { [data] cursor throws(DataError) in
            try await data.rides(limit: DataManager.largestPage, cursor: cursor)
        }
    }

    /// The ride under way, from the server; nil if there is none.
    public func active() async throws(DataError) -> Ride? {
        guard let ride = try await data.rides(limit: 1).items.first, !ride.status.isFinal else { return nil }
        return ride
    }

    /// Cancels a ride before the pick-up. If the outcome is unknown, the call may be repeated, and returns the
    /// cancelled ride.
    ///
    /// - Throws: `.notCancellable` after the pick-up.
    public func cancel(_ id: Ride.ID) async throws(DataError) -> Ride {
        try await recordingRide { [data] () throws(DataError) in try await data.cancelRide(id: id) }
    }

    /// - Throws: `.rideNotCompleted`.
    public func receipt(of id: Ride.ID) async throws(DataError) -> RideReceipt {
        try await data.rideReceipt(id: id)
    }

    // MARK: Requests with an unknown outcome

    /// The session's ride requests with an unknown outcome, including those of an earlier process, oldest first.
    public func unresolvedRequests() async throws(DataError) -> [UnresolvedRideRequest] {
        try await account.restore()
        guard let owner = account.session?.owner else { return [] }
        return try await data.unresolvedRideRequests(of: owner)
    }

    /// Repeats a request with the same key and content. Returns the existing ride, or requests it now.
    ///
    /// - Throws: the reason why it could not be requested. As long as the outcome is unknown, the request remains
    ///   unresolved.
    public func resume(_ request: UnresolvedRideRequest) async throws(DataError) -> Ride {
        try await recordingRide { [data] () throws(DataError) in try await data.resume(request) }
    }

    /// Removes a request from this device. If it reached the server, `active` returns its ride.
    public func discard(_ request: UnresolvedRideRequest) async throws(DataError) {
        try await data.discard(request)
    }

    // MARK: Following a ride

    /// The ride in its known state, and again after each change. The sequence ends after the last status, and when the
    /// session ends or changes its owner.
    ///
    /// It survives lost connections and server outages. Subscribers to one ride share a connection, which ends with the
    /// last of them. It throws if the ride cannot be read: `.notFound` for a ride of another customer, `.notSignedIn`
    /// without a session.
    public nonisolated func follow(_ id: Ride.ID) -> RideChanges {
        RideChanges { [self] () throws(DataError) in try await events(of: id) }
    }

    private func events(of id: Ride.ID) async throws(DataError) -> AsyncStream<RideChanges.Event> {
        try await account.restore()
        guard let owner = account.session?.owner else { throw DataError(.notSignedIn) }
        settleOwner()
        let ride = followed[id] ?? startFollowing(id, of: owner)
        return ride.subscribers.add(
            first: { ride.ride.map { [.success($0)] } ?? [] },
            onLastLeft: { [weak self] in Task { await self?.stopUnfollowed() } })
    }

    private func startFollowing(_ id: Ride.ID, of owner: String) -> FollowedRide {
        var ride = FollowedRide(owner: owner)
        if let latest, latest.owner == owner, latest.ride.id == id { ride.ride = latest.ride }
        ride.relay = Task { [subscribers = ride.subscribers] in await relay(id, of: owner, to: subscribers) }
        followed[id] = ride
        return ride
    }

    private func relay(_ id: Ride.ID, of owner: String, to subscribers: Subscribers<RideChanges.Event>) async {
        do throws(DataError) {
            if followed[id]?.ride == nil { note(try await data.ride(id: id, of: owner), of: owner) }
            if let ride = followed[id]?.ride, !ride.status.isLast {
                // The known statuses were the first events.
                let events = data.rideEvents(of: id, after: String(ride.history.count), owner: owner)
                for try await update in events {
                    guard followed[id]?.subscribers === subscribers else { return }
                    apply(update, to: id)
                    if followed[id]?.ride?.status.isLast == true { break }
                }
            }
            guard followed[id]?.subscribers === subscribers else { return }
            // The last event may have been unreadable.
            if followed[id]?.ride?.status.isFinal == false { note(try await data.ride(id: id, of: owner), of: owner) }
            stopFollowing(id, subscribers)
        } catch {
            // The notification that the session ended may arrive later.
            let isSessionOver = error.reason == .sessionEnded || error.reason == .notSignedIn
            stopFollowing(id, subscribers, with: isSessionOver ? .success(nil) : .failure(error))
        }
    }

    private func stopUnfollowed() {
        for (id, ride) in followed where ride.subscribers.isEmpty { stopFollowing(id, ride.subscribers) }
    }

    /// - Parameter subscribers: a later subscription to the same ride continues.
    private func stopFollowing(
        _ id: Ride.ID, _ subscribers: Subscribers<RideChanges.Event>, with last: RideChanges.Event = .success(nil)
    ) {
        guard followed[id]?.subscribers === subscribers else { return }
        followed.removeValue(forKey: id)?.relay?.cancel()
        subscribers.send { last }
    }

    // MARK: Known rides

    /// Makes a call and records the ride that it returns, for current and later subscribers.
    private func recordingRide(_ call: () async throws(DataError) -> Ride) async throws(DataError) -> Ride {
        try await account.restore()
        let owner = account.session?.owner
        let ride = try await call()
        if let owner { note(ride, of: owner) }
        return ride
    }

    /// Records a ride, unless it is older than its events.
    private func note(_ ride: Ride, of owner: String) {
        // The session may have changed during the call.
        guard owner == account.session?.owner else { return }
        settleOwner()
        if let known = followed[ride.id]?.ride, known.history.count >= ride.history.count { return }
        publish(ride, of: owner)
    }

    /// Applies an event, unless a restarted server has sent it again.
    private func apply(_ update: RideUpdate, to id: Ride.ID) {
        guard let followed = followed[id], let ride = followed.ride else { return }
        let next = ride.applying(update)
        guard next != ride, next.history.count >= ride.history.count else { return }
        publish(next, of: followed.owner)
    }

    private func publish(_ ride: Ride, of owner: String) {
        latest = (ride, owner)
        followed[ride.id]?.ride = ride
        followed[ride.id]?.subscribers.send { .success(ride) }
    }
}

/// The changes of a ride, from `RideManager.follow`. Each iterator is a subscription of its own, from its first element
/// until it is dropped or its task is cancelled.
public struct RideChanges: AsyncSequence, Sendable {
    /// The ride in a new state, nil after its last one, or the reason why it cannot be read.
    typealias Event = Result<Ride?, DataError>

    let subscribe: @Sendable () async throws(DataError) -> AsyncStream<Event>

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscribe: subscribe) }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscribe: @Sendable () async throws(DataError) -> AsyncStream<Event>
        private var events: AsyncStream<Event>.AsyncIterator?
        private var isOver = false

        fileprivate init(subscribe: @escaping @Sendable () async throws(DataError) -> AsyncStream<Event>) {
            self.subscribe = subscribe
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(DataError) -> Ride? {
            guard !isOver else { return nil }
            isOver = true
            if events == nil { events = try await subscribe().makeAsyncIterator() }
            guard let ride = try await events?.next(isolation: actor)?.get() else { return nil }
            isOver = false
            return ride
        }
    }
}

extension RideManager: SessionFollower {
    func sessionWillChange() { settleOwner() }

    func sessionDidChange() { settleOwner() }

    /// Ends everything that belongs to a session other than the current one.
    private func settleOwner() {
        let owner = account.session?.owner
        if latest?.owner != owner { latest = nil }
        for (id, ride) in followed where ride.owner != owner { stopFollowing(id, ride.subscribers) }
    }
}

extension RideStatus {
    /// Whether no status can follow. A ride that its driver cancelled may be requested again.
    fileprivate var isLast: Bool { isFinal && self != .cancelledByDriver }
}
