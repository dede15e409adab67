import Foundation

/// The followers of changing objects, as part of the state of the actor that owns the objects. A signal means that
/// there may be news, and the follower then reads all news since its cursor: a slow follower gets fewer signals with
/// more news.
public struct LiveFollowers: Sendable {
    /// The maximum number of followers of one object, since its owner has few devices.
    public static let maxFollowers = 20

    private var signals: [String: [Int: AsyncStream<Void>.Continuation]] = [:]
    private var lastFollower = 0
    public private(set) var isClosed = false
    /// The number of heartbeats so far.
    public private(set) var beats = 0

    public init() {}

    /// Signals immediately, then whenever there may be news; ends when the server shuts down.
    ///
    /// - Parameter onLeave: called with the number of the follower when it stops reading; must call `leave`.
    /// - Returns: nil when the object has the maximum number of followers.
    public mutating func follow(_ id: String, onLeave: @escaping @Sendable (Int) -> Void) -> AsyncStream<Void>? {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard !isClosed else {
            signal.finish()
            return stream
        }
        guard signals[id]?.count ?? 0 < Self.maxFollowers else { return nil }
        lastFollower += 1
        signal.onTermination = { [lastFollower] _ in onLeave(lastFollower) }
        signals[id, default: [:]][lastFollower] = signal
        signal.yield()
        return stream
    }

    /// - Returns: whether the object has no more followers.
    public mutating func leave(_ id: String, _ follower: Int) -> Bool {
        signals[id]?[follower] = nil
        guard signals[id]?.isEmpty ?? true else { return false }
        signals[id] = nil
        return true
    }

    /// Notifies the followers of an object that there may be news.
    public func signal(_ id: String) {
        for signal in signals[id]?.values ?? [:].values { signal.yield() }
    }

    /// Notifies all followers that a heartbeat is due.
    public mutating func beat() {
        beats += 1
        for id in signals.keys { signal(id) }
    }

    /// Ends all subscriptions, and later ones immediately.
    public mutating func close() {
        isClosed = true
        for followers in signals.values { for signal in followers.values { signal.finish() } }
        signals = [:]
    }
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
