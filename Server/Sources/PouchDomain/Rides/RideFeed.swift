import Foundation
import PouchEntities

/// Notifies the followers of rides.
public typealias RideFeed = LiveFeed<FollowedRide>

extension LiveFeed where Followed == FollowedRide {
    public init(time: any TimeSource, writer: any RideNewsWriter, heartbeat: Duration) {
        self.init(heartbeat: heartbeat, start: { FollowedRide($0, time: time, writer: writer) })
    }

    /// The ride as its followers know it, and the part that a cursor has not seen, for a follower that does not want
    /// encoded events; nil when the ride has no followers.
    public func view(of id: String, after seen: RideCursor) -> RideView? {
        objects[id]?.view(after: seen, beats: beats)
    }

    /// Notifies the followers of rides whose driver has moved.
    public func noteMovement() {
        update { $0.moveDriver() }
    }
}

/// A ride at the last move of its driver, with the encoded events. A slow follower misses outdated positions, but no
/// status.
public struct FollowedRide: FollowedObject {
    public private(set) var object: RideRecord
    /// The time at which the driver's position last changed.
    private var movedAt: Date
    /// The encoded events by the number of statuses that the ride had then.
    private var statuses: [Int: Data] = [:]
    private var position: Data?
    /// Starts at 1, since a follower that reconnects has seen no position.
    private var positions = 1
    private let time: any TimeSource
    private let writer: any RideNewsWriter

    init(_ ride: RideRecord, time: any TimeSource, writer: any RideNewsWriter) {
        object = ride
        movedAt = time.now
        self.time = time
        self.writer = writer
    }

    public static var tooManyFollowers: any Error { RideError.tooManyFollowers }

    public static func identity(of ride: RideRecord) -> (id: String, version: Int) { (ride.id, ride.version) }

    public mutating func update(to ride: RideRecord) {
        move(at: time.now)
        object = ride
    }

    /// Moves the driver to the current position.
    ///
    /// - Returns: whether it differs from the last one.
    mutating func moveDriver() -> Bool {
        let now = time.now
        guard object.isMoving, object.ride(at: now) != object.ride(at: movedAt) else { return false }
        move(at: now)
        return true
    }

    /// Discards encoded positions after a move.
    private mutating func move(at now: Date) {
        statuses[object.history.count] = nil
        position = nil
        positions += 1
        movedAt = now
    }

    public mutating func news(after seen: RideCursor, beats: Int) throws -> LiveNews<RideCursor> {
        let count = object.history.count
        // A cursor beyond the history is ignored.
        let seenCount = seen.statuses.flatMap { $0 > count ? nil : $0 }
        var events: [Data] = []
        for number in ((seenCount ?? count - 1)..<count).map({ $0 + 1 }) {
            // A new follower gets the current state.
            let known = seenCount == nil ? nil : statuses[number]
            let event = try known ?? writer.status(object, number: number, at: time.now)
            statuses[number] = event
            events.append(event)
        }
        if events.isEmpty, object.isMoving, seen.positions < positions {
            let event = try position ?? writer.position(object, at: movedAt)
            position = event
            events.append(event)
        }
        return LiveNews(
            events: events, cursor: RideCursor(statuses: count, positions: positions, beats: beats),
            isBeat: seen.beats.map { $0 < beats } ?? false, isLast: object.dueAt == nil)
    }

    func view(after seen: RideCursor, beats: Int) -> RideView {
        let count = object.history.count
        return RideView(
            record: object, ride: object.ride(at: movedAt), hasNewStatus: seen.statuses != count,
            hasMoved: object.isMoving && seen.positions < positions,
            cursor: RideCursor(statuses: count, positions: positions, beats: beats))
    }
}

extension RideRecord {
    /// Whether a driver may be moving, to the pick-up or with the rider.
    fileprivate var isMoving: Bool { dueAt != nil && status != .requested }
}

/// A ride at the last move of its driver, and the part that a follower has not seen.
public struct RideView: Sendable {
    public let record: RideRecord
    public let ride: Ride
    public let hasNewStatus: Bool
    public let hasMoved: Bool
    /// The cursor after this view.
    public let cursor: RideCursor
}

/// The part of a ride that a follower has seen.
public struct RideCursor: Sendable, Equatable {
    /// The number of seen statuses; nil for a new follower.
    let statuses: Int?
    let positions: Int
    /// nil for a follower that has just connected.
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
