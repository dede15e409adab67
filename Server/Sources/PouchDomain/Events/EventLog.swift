import Foundation
import PouchEntities
import PouchJSON

/// Records what happens in the shop, each event in the transaction of its effect, so that both are stored or neither.
///
///     guard try repositories.orders.update(record) else { throw TransactionConflict() }
///     try environment.events.append(.orderDelivered, of: record.order.id, EventData(order: record.order), in: repositories)
///
/// Append an event after the transaction has locked its object, so that the events of one object are in the order of
/// its changes.
public struct EventLog: Sendable {
    /// The time for which events are kept after all consumers have passed them, in seconds.
    public static let lifetime: TimeInterval = 30 * 24 * 3600

    let random: any RandomSource
    let time: any TimeSource

    /// - Parameter objectId: the object whose events consumers receive in order.
    public func append(
        _ type: EventType, of objectId: String, _ data: EventData, in repositories: any Repositories
    ) throws {
        try repositories.events.append(
            NewEvent(
                nonce: random.bytes(8).reduce(0) { $0 << 8 | Int64($1) }, type: type, createdAt: time.now,
                objectId: objectId, data: try data.json()))
    }
}

extension EventRepository {
    /// - Returns: nil for an event that does not exist, or is no longer kept.
    func event(id: String) throws -> EventRecord? {
        guard let position = EventRecord.position(id: id) else { return nil }
        return try events(at: [position]).first { $0.id == id }
    }

    /// The events after one that the reader has seen.
    ///
    /// - Parameters:
    ///   - id: an event in the same order; nil to start with the first.
    ///   - type: nil for all types.
    /// - Throws: `DomainError.unknownEvent`, also for an event that is no longer kept: the reader may have missed
    ///   events.
    public func events(
        afterEvent id: String?, in order: EventOrder, type: EventType?, limit: Int
    ) throws -> [EventRecord] {
        var seen: Int64?
        if let id {
            guard let found = try event(id: id) else { throw DomainError.unknownEvent }
            seen = found.position
        }
        let types = type.map { Set([$0]) }
        return switch order {
        case .oldestFirst: try events(types: types, after: seen ?? 0, through: nil, limit: limit)
        case .latestFirst: try latestEvents(types: types, before: seen, limit: limit)
        }
    }
}

extension DomainEnvironment {
    public var events: EventLog { EventLog(random: random, time: time) }
}

/// An event before it has a position.
public struct NewEvent: Sendable, Equatable {
    /// A random number that distinguishes the event from one of another shop at the same position, and from one that is
    /// missing in a restored backup.
    public let nonce: Int64
    /// The name of the type. A later server may have stored a type unknown to this server.
    public let typeName: String
    public let createdAt: Date
    public let objectId: String
    /// The JSON of an `EventData`. It is passed on unchanged, so that consumers receive an event as an earlier server
    /// stored it.
    public let data: Data

    public init(nonce: Int64, type: EventType, createdAt: Date, objectId: String, data: Data) {
        self.init(nonce: nonce, typeName: type.rawValue, createdAt: createdAt, objectId: objectId, data: data)
    }

    public init(nonce: Int64, typeName: String, createdAt: Date, objectId: String, data: Data) {
        self.nonce = nonce
        self.typeName = typeName
        self.createdAt = createdAt
        self.objectId = objectId
        self.data = data
    }

    public var type: EventType { EventType(rawValue: typeName) ?? .unrecognised }
}

/// A stored event with its position.
public struct EventRecord: Sendable, Equatable {
    /// The position, which increases from event to event, with gaps. A consumer that has seen a position misses no
    /// event with a lower one.
    public let position: Int64
    public let event: NewEvent

    public init(position: Int64, event: NewEvent) {
        self.position = position
        self.event = event
    }

    /// The position and the nonce in Crockford's base 32. So an event is found by its id without an index of ids, which
    /// each checkout would have to write to, and ids sort in the order of the events.
    public var id: String {
        let numbers = [position, event.nonce].map { UInt64(bitPattern: $0).bigEndian }
        return Self.prefix + numbers.withUnsafeBytes { ByteAlphabet.base32.text($0) }
    }

    /// - Returns: nil for a text that is not the id of an event.
    static func position(id: String) -> Int64? {
        guard id.hasPrefix(prefix), let bytes = ByteAlphabet.base32.bytes(id.utf8.dropFirst(prefix.utf8.count)),
            bytes.count == 16
        else { return nil }
        return Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static let prefix = "evt_"

    /// - Throws: `JSONError` for data that this server cannot read.
    public var shopEvent: ShopEvent {
        get throws {
            ShopEvent(
                id: id, type: event.type, createdAt: event.createdAt, objectId: event.objectId,
                data: try EventData(json: event.data))
        }
    }
}

public protocol EventRepository {
    func append(_ event: NewEvent) throws

    /// Assigns positions to committed events that have none, in a separate transaction. A database that runs its
    /// writing transactions one at a time assigns them on appending, and does nothing here.
    ///
    /// - Returns: whether there may be more.
    func number(limit: Int) throws -> Bool
    /// Whether committed events may have no position yet.
    func hasUnnumbered() throws -> Bool
    /// The latest position assigned to an event; 0 before the first. The event may have been deleted.
    func lastPosition() throws -> Int64
    /// The events in the order of their positions.
    ///
    /// - Parameters:
    ///   - types: nil for the events of all types, including those unknown to this server; not empty.
    ///   - last: the last position to read; nil for no end.
    func events(types: Set<EventType>?, after position: Int64, through last: Int64?, limit: Int) throws -> [EventRecord]
    /// The events, latest first.
    ///
    /// - Parameters:
    ///   - types: as in `events`.
    ///   - position: nil to start with the latest.
    func latestEvents(types: Set<EventType>?, before position: Int64?, limit: Int) throws -> [EventRecord]
    /// - Returns: the events that still exist, in no order.
    func events(at positions: [Int64]) throws -> [EventRecord]

    /// The position up to which a consumer has processed the events, locked until the transaction ends; 0 for a new
    /// consumer.
    func position(of consumer: String) throws -> Int64
    func setPosition(of consumer: String, _ position: Int64) throws
    /// The positions of all consumers, without locking them.
    func positions() throws -> [String: Int64]
    /// Deletes events older than a time that all consumers have passed, at most `limit`. Returns whether there may be
    /// more.
    func purge(before: Date, limit: Int) throws -> Bool
}

extension EventLog {
    /// Appends the event of the status that an order has just entered.
    func append(_ order: Order, in repositories: any Repositories) throws {
        guard let type = EventType(entering: order.status) else { return }
        try append(type, order, in: repositories)
    }

    func append(_ type: EventType, _ order: Order, in repositories: any Repositories) throws {
        try append(type, of: order.id, EventData(order: order), in: repositories)
    }

    /// Appends the event of a refund that the provider has not made yet.
    func append(created refund: RefundRecord, in repositories: any Repositories) throws {
        try append(
            .refundCreated, of: refund.orderId, EventData(refund: refund.refund(isPending: true)), in: repositories)
    }

    /// Appends the event of a completed refund.
    ///
    /// - Parameter order: the order after the refund. Without it, the e-mail could not state the total refunds: another
    ///   refund may follow before the e-mail is queued.
    func append(made refund: RefundRecord, of order: Order, in repositories: any Repositories) throws {
        try append(
            .refundSucceeded, of: order.id, EventData(order: order, refund: refund.refund(isPending: false)),
            in: repositories)
    }

    /// Appends the event of a variant whose available units have fallen to the threshold.
    ///
    /// - Parameter before: the units before the change.
    func append(stockOf sku: String, price: Money, before: Int, after: Int, in repositories: any Repositories) throws {
        guard before > Availability.lowStock, after <= Availability.lowStock else { return }
        try append(
            .stockLow, of: sku, EventData(stock: Availability(sku: sku, price: price, available: after)),
            in: repositories)
    }
}

extension EventType {
    /// - Returns: nil for `pending`, since most orders leave it immediately, and for an unknown status.
    public init?(entering status: OrderStatus) {
        switch status {
        case .pending, .unrecognised: return nil
        case .paid: self = .orderPaid
        case .fulfilled: self = .orderFulfilled
        case .delivered: self = .orderDelivered
        case .cancelled: self = .orderCancelled
        case .refunded: self = .orderRefunded
        case .partiallyRefunded: self = .orderPartiallyRefunded
        }
    }
}
