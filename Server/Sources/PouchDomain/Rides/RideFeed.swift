import Foundation
import PouchEntities

/// Notifies any number of subscribers of changes to a ride. Each reads the news since its cursor: a slow one misses
/// outdated positions, but no status. An event is encoded once for all subscribers.
public actor RideFeed {
    private struct Followed {
        var ride: RideRecord
        /// The time at which the driver's position last changed.
        var movedAt: Date
        /// The encoded events by the number of statuses that the ride had then.
        var statuses: [Int: Data] = [:]
        var position: Data?
        /// Starts at 1, since a subscriber that reconnects has seen no position.
        var positions = 1

        /// Discards encoded positions after a move.
        mutating func move(at now: Date) {
            statuses[ride.history.count] = nil
            position = nil
            positions += 1
            movedAt = now
        }
    }

    /// The interval at which subscribers get an event even without news.
    public nonisolated let heartbeat: Duration

    private let time: any TimeSource
    private let writer: any RideNewsWriter
    private var rides: [String: Followed] = [:]
    private var followers = LiveFollowers()

    public init(time: any TimeSource, writer: any RideNewsWriter, heartbeat: Duration) {
        self.heartbeat = heartbeat
        self.time = time
        self.writer = writer
    }

    /// Signals immediately, then whenever there may be news; ends when the server shuts down.
    ///
    /// - Throws: `RideError.tooManyFollowers` when the ride has the maximum number of subscribers.
    public func follow(_ ride: RideRecord) throws -> AsyncStream<Void> {
        let signals = followers.follow(ride.id) { [weak self, id = ride.id] follower in
            Task { await self?.leave(id, follower) }
        }
        guard let signals else { throw RideError.tooManyFollowers }
        guard !followers.isClosed else { return signals }
        if rides[ride.id] == nil { rides[ride.id] = Followed(ride: ride, movedAt: time.now) }
        note(ride)
        return signals
    }

    /// The events since a cursor; nil when the ride has no subscribers.
    public func news(of id: String, after seen: RideCursor) throws -> RideNews? {
        guard var followed = rides[id] else { return nil }
        defer { rides[id] = followed }
        let ride = followed.ride
        let count = ride.history.count
        // A cursor beyond the history is ignored.
        let seenCount = seen.statuses.flatMap { $0 > count ? nil : $0 }
        var events: [Data] = []
        for number in ((seenCount ?? count - 1)..<count).map({ $0 + 1 }) {
            // A new subscriber gets the current state.
            let known = seenCount == nil ? nil : followed.statuses[number]
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
            events: events, cursor: RideCursor(statuses: count, positions: followed.positions, beats: followers.beats),
            isBeat: seen.beats.map { $0 < followers.beats } ?? false, isLast: ride.dueAt == nil)
    }

    /// The ride as its subscribers know it, and the part that a cursor has not seen, for a subscriber that does not
    /// want encoded events; nil when the ride has no subscribers.
    public func view(of id: String, after seen: RideCursor) -> RideView? {
        guard let followed = rides[id] else { return nil }
        let count = followed.ride.history.count
        return RideView(
            record: followed.ride, ride: followed.ride.ride(at: followed.movedAt), hasNewStatus: seen.statuses != count,
            hasMoved: followed.ride.isMoving && seen.positions < followed.positions,
            cursor: RideCursor(statuses: count, positions: followed.positions, beats: followers.beats))
    }

    /// The subscribed rides with their known versions.
    public var versions: [String: Int] { rides.mapValues(\.ride.version) }

    /// Notifies the subscribers, unless they already know this or a later version.
    public func note(_ ride: RideRecord) {
        guard let known = rides[ride.id], known.ride.version < ride.version else { return }
        rides[ride.id]?.move(at: time.now)
        rides[ride.id]?.ride = ride
        followers.signal(ride.id)
    }

    /// Notifies the subscribers of rides whose driver has moved.
    public func noteMovement() {
        let now = time.now
        for (id, followed) in rides where followed.ride.isMoving {
            guard followed.ride.ride(at: now) != followed.ride.ride(at: followed.movedAt) else { continue }
            rides[id]?.move(at: now)
            followers.signal(id)
        }
    }

    /// Notifies all subscribers that a heartbeat is due.
    public func beat() { followers.beat() }

    /// Ends all subscriptions, and later ones immediately.
    public func close() {
        followers.close()
        rides = [:]
    }

    private func leave(_ id: String, _ follower: Int) {
        if followers.leave(id, follower) { rides[id] = nil }
    }
}

extension RideRecord {
    /// Whether a driver may be moving, to the pick-up or with the rider.
    fileprivate var isMoving: Bool { dueAt != nil && status != .requested }
}

public typealias RideNews = LiveNews<RideCursor>

/// A ride at the last move of its driver, and the part that a subscriber has not seen.
public struct RideView: Sendable {
    public let record: RideRecord
    public let ride: Ride
    public let hasNewStatus: Bool
    public let hasMoved: Bool
    /// The cursor after this view.
    public let cursor: RideCursor
}

/// The part of a ride that a subscriber has seen.
public struct RideCursor: Sendable, Equatable {
    /// The number of seen statuses; nil for a new subscriber.
    let statuses: Int?
    let positions: Int
    /// nil for a subscriber that has just connected.
    let beats: Int?

    /// - Parameter statuses: the id of the last event of an earlier stream; nil for a new stream, which starts with the
    ///   current state.
    public init(statuses: Int?) {
        self.init(statuses: statuses, positions: 0, beats: nil)
    }

    init(statuses: Int?, positions: Int, beats: Int?) {
        self.statuses = statuses
        self.positions = positions
        self.beats = beats
    }

    /// Whether no more events can follow.
    public func isAtEnd(of ride: RideRecord) -> Bool { ride.dueAt == nil && statuses == ride.history.count }
}

/// Encodes the events of a ride.
public protocol RideNewsWriter: Sendable {
    /// - Parameter number: the number of the ride's statuses, including the encoded one.
    func status(_ ride: RideRecord, number: Int, at now: Date) throws -> Data
    func position(_ ride: RideRecord, at now: Date) throws -> Data
}
