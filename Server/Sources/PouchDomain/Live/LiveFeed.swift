import Foundation

/// Notifies any number of followers of the changes of objects. Each reads the news since its cursor, and an event is
/// encoded once for all followers of its object.
///
/// A signal means that there may be news, and the follower then reads all news since its cursor: a slow follower gets
/// fewer signals with more news.
public actor LiveFeed<Followed: FollowedObject> {
    /// The maximum number of followers of one object, since its owner has few devices.
    public static var maxFollowers: Int { 20 }

    /// The interval at which followers get an event even without news.
    public nonisolated let heartbeat: Duration

    private let start: @Sendable (Followed.Object) -> Followed
    /// The followed objects by id.
    private(set) var objects: [String: Followed] = [:]
    /// The signals of the followers by object.
    private var signals: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    private var lastFollower = 0
    private var isClosed = false
    /// The number of heartbeats so far.
    private(set) var beats = 0

    /// - Parameter start: creates the followed object for its first follower.
    init(heartbeat: Duration, start: @escaping @Sendable (Followed.Object) -> Followed) {
        self.heartbeat = heartbeat
        self.start = start
    }

    /// Signals immediately, then whenever there may be news; ends when the server shuts down.
    ///
    /// - Throws: `tooManyFollowers` of the followed object when it has the maximum number of followers.
    public func follow(_ object: Followed.Object) throws -> AsyncStream<Void> {
        let id = Followed.identity(of: object).id
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard !isClosed else {
            signal.finish()
            return stream
        }
        guard signals[id]?.count ?? 0 < Self.maxFollowers else { throw Followed.tooManyFollowers }
        lastFollower += 1
        signal.onTermination = { [weak self, lastFollower] _ in Task { await self?.leave(id, lastFollower) } }
        signals[id, default: [:]][lastFollower] = signal
        signal.yield()
        if objects[id] == nil { objects[id] = start(object) }
        note(object)
        return stream
    }

    /// The events since a cursor; nil when the object has no followers.
    public func news(of id: String, after seen: Followed.Cursor) throws -> LiveNews<Followed.Cursor>? {
        guard var followed = objects[id] else { return nil }
        defer { objects[id] = followed }
        return try followed.news(after: seen, beats: beats)
    }

    /// The followed objects with their known versions.
    public var versions: [String: Int] { objects.mapValues { Followed.identity(of: $0.object).version } }

    /// Notifies the followers, unless they already know this or a later version.
    public func note(_ object: Followed.Object) {
        let (id, version) = Followed.identity(of: object)
        guard let known = objects[id]?.object, Followed.identity(of: known).version < version else { return }
        objects[id]?.update(to: object)
        signal(id)
    }

    /// Changes each followed object, and notifies the followers of those for which the closure returns true.
    func update(_ change: (inout Followed) -> Bool) {
        for (id, known) in objects {
            var followed = known
            guard change(&followed) else { continue }
            objects[id] = followed
            signal(id)
        }
    }

    /// Notifies all followers that a heartbeat is due.
    public func beat() {
        beats += 1
        for id in signals.keys { signal(id) }
    }

    /// Ends all subscriptions, and later ones immediately.
    public func close() {
        isClosed = true
        for followers in signals.values { for signal in followers.values { signal.finish() } }
        (signals, objects) = ([:], [:])
    }

    private func signal(_ id: String) {
        for signal in signals[id]?.values ?? [:].values { signal.yield() }
    }

    private func leave(_ id: String, _ follower: Int) {
        signals[id]?[follower] = nil
        guard signals[id]?.isEmpty ?? true else { return }
        signals[id] = nil
        objects[id] = nil
    }
}

/// An object as its followers know it, with the events that were encoded for them.
public protocol FollowedObject: Sendable {
    associatedtype Object: Sendable
    /// The part of the object that a follower has seen.
    associatedtype Cursor: Sendable

    static var tooManyFollowers: any Error { get }

    static func identity(of object: Object) -> (id: String, version: Int)

    var object: Object { get }

    /// Replaces the object by a later version.
    mutating func update(to object: Object)

    /// The events since a cursor.
    ///
    /// - Parameter beats: the number of heartbeats so far.
    mutating func news(after seen: Cursor, beats: Int) throws -> LiveNews<Cursor>
}

/// The events that a follower has not seen.
public struct LiveNews<Cursor: Sendable>: Sendable {
    /// The encoded events in order; may be empty.
    public let events: [Data]
    /// The cursor after these events.
    public let cursor: Cursor
    /// Whether a heartbeat is due.
    public let isBeat: Bool
    /// Whether nothing can follow.
    public let isLast: Bool

    public init(events: [Data], cursor: Cursor, isBeat: Bool, isLast: Bool) {
        self.events = events
        self.cursor = cursor
        self.isBeat = isBeat
        self.isLast = isLast
    }
}
