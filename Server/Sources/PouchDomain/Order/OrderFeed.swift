import Foundation
import PouchEntities

/// Notifies any number of followers of order changes. A version of an order is encoded once for all of them.
public actor OrderFeed {
    private struct Followed {
        var order: OrderRecord
        var encoded: Data?
    }

    /// The interval at which followers get an event even without news.
    public nonisolated let heartbeat: Duration

    private let encode: @Sendable (OrderRecord) throws -> Data
    private var orders: [String: Followed] = [:]
    private var followers = LiveFollowers()

    /// - Parameter encode: encodes the event of an order.
    public init(heartbeat: Duration, encode: @escaping @Sendable (OrderRecord) throws -> Data) {
        self.heartbeat = heartbeat
        self.encode = encode
    }

    /// Signals immediately, then whenever there may be news; ends when the server shuts down.
    ///
    /// - Throws: `DomainError.tooManyFollowers`.
    public func follow(_ order: OrderRecord) throws -> AsyncStream<Void> {
        let id = order.order.id
        let signals = followers.follow(id) { [weak self] follower in
            Task { await self?.leave(id, follower) }
        }
        guard let signals else { throw DomainError.tooManyFollowers }
        guard !followers.isClosed else { return signals }
        if orders[id] == nil { orders[id] = Followed(order: order) }
        note(order)
        return signals
    }

    /// The events since a cursor; nil when the order has no followers.
    public func news(of id: String, after seen: OrderCursor) throws -> LiveNews<OrderCursor>? {
        guard var followed = orders[id] else { return nil }
        let record = followed.order
        var events: [Data] = []
        if seen.version != record.version {
            let event = try followed.encoded ?? encode(record)
            followed.encoded = event
            orders[id] = followed
            events.append(event)
        }
        return LiveNews(
            events: events, cursor: OrderCursor(version: record.version, beats: followers.beats),
            isBeat: seen.beats.map { $0 < followers.beats } ?? false, isLast: record.order.hasEnded)
    }

    /// The followed orders with their known versions.
    public var versions: [String: Int] { orders.mapValues(\.order.version) }

    /// Notifies the followers, unless they already know this or a later version.
    public func note(_ order: OrderRecord) {
        let id = order.order.id
        guard let known = orders[id], known.order.version < order.version else { return }
        orders[id] = Followed(order: order)
        followers.signal(id)
    }

    /// Notifies all followers that a heartbeat is due.
    public func beat() { followers.beat() }

    /// Ends all subscriptions, and later ones immediately.
    public func close() {
        followers.close()
        orders = [:]
    }

    private func leave(_ id: String, _ follower: Int) {
        if followers.leave(id, follower) { orders[id] = nil }
    }
}

/// The version of an order that a follower has seen.
public struct OrderCursor: Sendable, Equatable {
    /// nil for a new follower.
    let version: Int?
    /// nil for a follower that has just connected.
    let beats: Int?

    /// - Parameter version: the id of the last event of an earlier stream; nil for a new stream, which starts with the
    ///   current state.
    public init(version: Int?) {
        self.init(version: version, beats: nil)
    }

    init(version: Int?, beats: Int?) {
        self.version = version
        self.beats = beats
    }

    /// Whether no more events can follow.
    public func isAtEnd(of record: OrderRecord) -> Bool { record.order.hasEnded && version == record.version }
}

extension Order {
    /// Whether nothing will change without a further decision: the order was delivered, or its money was refunded.
    package var hasEnded: Bool {
        switch status {
        case .refunded: true
        case .cancelled: [.failed, .refunded].contains(payment.status)
        default: history.contains { $0.status == .delivered }
        }
    }
}
