import Foundation
import PouchDomain
import PouchEntities

/// Lets any number of followers know what is new about a ride. Each looks it up by what it has seen: whoever is slow misses
/// positions that are out of date, and no status. However many follow, news is put into bytes once.
public actor RideFeed {
    private struct Followed {
        var ride: RideRecord
        /// When the kangaroo was last seen somewhere else than before.
        var movedAt: Date
        var followers: [Int: AsyncStream<Void>.Continuation] = [:]
        /// By the number of statuses that the ride had been in by then.
        var statuses: [Int: Data] = [:]
        var position: Data?
        /// Whoever comes back has seen none of them.
        var positions = 1

        /// What was written of where the kangaroo is holds no more.
        mutating func move(at now: Date) {
            statuses[ride.history.count] = nil
            position = nil
            positions += 1
            movedAt = now
        }
    }

    /// How often followers are to hear something, also where there is nothing new.
    public nonisolated let heartbeat: Duration

    private let time: any TimeSource
    private let writer: any RideNewsWriter
    private var rides: [String: Followed] = [:]
    private var nextId = 0
    private var beats = 0
    private var isClosed = false

    public init(time: any TimeSource, writer: any RideNewsWriter, heartbeat: Duration) {
        self.heartbeat = heartbeat
        self.time = time
        self.writer = writer
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
        rides[ride.id, default: Followed(ride: ride, movedAt: time.now)].followers[nextId] = signal
        note(ride)
        signal.yield()
        return signals
    }

    /// What a follower has not seen yet.
    ///
    /// - Returns: nil when the ride is not followed any more.
    public func news(of id: String, after seen: RideCursor) throws -> RideNews? {
        guard var followed = rides[id] else { return nil }
        defer { rides[id] = followed }
        let ride = followed.ride
        let count = ride.history.count
        // Nobody has seen what has not happened.
        let told = seen.statuses.flatMap { $0 > count ? nil : $0 }
        var events: [Data] = []
        for number in ((told ?? count - 1)..<count).map({ $0 + 1 }) {
            // Who comes anew is told how things stand now.
            let known = told == nil ? nil : followed.statuses[number]
            let event = try known ?? writer.status(ride, number: number, at: time.now)
            followed.statuses[number] = event
            events.append(event)
        }
        if events.isEmpty, ride.isMoving, seen.positions < followed.positions {
            let event = try followed.position ?? writer.position(ride, at: followed.movedAt)
            followed.position = event
            events.append(event)
        }
        return RideNews(
            events: events, cursor: RideCursor(statuses: count, positions: followed.positions, beats: beats),
            isBeat: seen.beats.map { $0 < beats } ?? false, isLast: ride.dueAt == nil)
    }

    /// The rides that are followed, with the versions that are known here.
    public var versions: [String: Int] { rides.mapValues(\.ride.version) }

    /// Tells the followers, unless this or a later version was told.
    public func note(_ ride: RideRecord) {
        guard let known = rides[ride.id], known.ride.version < ride.version else { return }
        rides[ride.id]?.move(at: time.now)
        rides[ride.id]?.ride = ride
        signal(known)
    }

    /// Tells the followers of kangaroos that are somewhere else by now.
    public func noteMovement() {
        let now = time.now
        for (id, followed) in rides where followed.ride.isMoving {
            guard followed.ride.ride(at: now) != followed.ride.ride(at: followed.movedAt) else { continue }
            rides[id]?.move(at: now)
            signal(followed)
        }
    }

    /// Lets all followers look up, once each.
    public func beat() {
        beats += 1
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

extension RideRecord {
    /// Whether a kangaroo is on the way.
    fileprivate var isMoving: Bool { dueAt != nil && status != .requested }
}
