import PouchEntities

/// Lets any number of followers know that there is something new about a ride; what it is they look up, each by what it has
/// seen. So whoever is slow misses positions that are out of date, and no status.
public actor RideFeed {
    private struct Followed {
        var ride: RideRecord
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
    }

    private var rides: [String: Followed] = [:]
    private var nextId = 0
    private var isClosed = false

    /// Without anything new a follower hears something after this time all the same, so that both sides know that the other
    /// is there.
    public nonisolated let heartbeat: Duration

    public init(heartbeat: Duration = .seconds(10)) {
        self.heartbeat = heartbeat
    }

    /// Signals once at once, then whenever there may be something new, and ends when the server is shut down.
    public func follow(_ ride: RideRecord) -> AsyncStream<Void> {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard !isClosed else {
            signal.finish()
            return signals
        }
        nextId += 1
        signal.onTermination = { [weak self, id = ride.id, follower = nextId] _ in
            Task { await self?.leave(id, follower) }
        }
        rides[ride.id, default: Followed(ride: ride)].followers[nextId] = signal
        note(ride)
        signal.yield()
        return signals
    }

    /// The ride as it is known here; nil when nobody follows it.
    public func ride(id: String) -> RideRecord? { rides[id]?.ride }

    /// The rides that are followed, with the versions that are known here.
    public var versions: [String: Int] { rides.mapValues(\.ride.version) }

    /// Tells the followers, unless this or a later version was told.
    public func note(_ ride: RideRecord) {
        guard let known = rides[ride.id], known.ride.version < ride.version else { return }
        rides[ride.id]?.ride = ride
        signal(known)
    }

    /// Kangaroos have moved on.
    public func noteMovement() {
        for followed in rides.values where followed.ride.status != .requested { signal(followed) }
    }

    /// Lets all followers find out whether they are still there.
    public func beat() {
        for followed in rides.values { signal(followed) }
    }

    /// Ends all that follow, and those that come later.
    public func close() {
        isClosed = true
        for followed in rides.values { for signal in followed.followers.values { signal.finish() } }
        rides = [:]
    }

    private func signal(_ followed: Followed) {
        for signal in followed.followers.values { signal.yield() }
    }

    private func leave(_ id: String, _ follower: Int) {
        rides[id]?.followers[follower] = nil
        if rides[id]?.followers.isEmpty == true { rides[id] = nil }
    }
}
