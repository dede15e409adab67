import Foundation
import PouchEntities

/// Notifies the followers of orders.
public typealias OrderFeed = LiveFeed<FollowedOrder>

extension LiveFeed where Followed == FollowedOrder {
    /// - Parameter encode: encodes the event of an order.
    public init(heartbeat: Duration, encode: @escaping @Sendable (OrderRecord) throws -> Data) {
        self.init(heartbeat: heartbeat, start: { FollowedOrder($0, encode: encode) })
    }
}

/// An order with the encoded event of its version.
public struct FollowedOrder: FollowedObject {
    public private(set) var object: OrderRecord
    private var encoded: Data?
    private let encode: @Sendable (OrderRecord) throws -> Data

    init(_ order: OrderRecord, encode: @escaping @Sendable (OrderRecord) throws -> Data) {
        object = order
        self.encode = encode
    }

    public static var tooManyFollowers: any Error { DomainError.tooManyFollowers }

    public static func identity(of order: OrderRecord) -> (id: String, version: Int) { (order.order.id, order.version) }

    public mutating func update(to order: OrderRecord) {
        object = order
        encoded = nil
    }

    public mutating func news(after seen: OrderCursor, beats: Int) throws -> LiveNews<OrderCursor> {
        var events: [Data] = []
        if seen.version != object.version {
            let event = try encoded ?? encode(object)
            encoded = event
            events.append(event)
        }
        return LiveNews(
            events: events, cursor: OrderCursor(version: object.version, beats: beats),
            isBeat: seen.beats.map { $0 < beats } ?? false, isLast: object.order.hasEnded)
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
