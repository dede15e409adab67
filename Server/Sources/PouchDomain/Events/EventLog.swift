import Foundation
import PouchEntities
import PouchJSON

/// Records what happens in the shop, each event in the transaction of its effect: both are stored, or neither.
///
///     guard try repositories.orders.update(record) else { throw TransactionConflict() }
///     try environment.events.append(.orderDelivered, of: record.order.id, EventData(order: record.order), in: repositories)
///
/// Append an event after the transaction has locked its object, so that the events of one object are in the order of its
/// changes.
public struct EventLog: Sendable {
    /// Seconds for which events are kept after all consumers have passed them.
    public static let lifetime: TimeInterval = 30 * 24 * 3600

    private let ids: Identifier
    private let time: any TimeSource

    init(ids: Identifier, time: any TimeSource) {
        self.ids = ids
        self.time = time
    }

    /// - Parameter objectId: the object whose events consumers receive in their order.
    public func append(
        _ type: EventType, of objectId: String, _ data: EventData, in repositories: any Repositories
    ) throws {
        try repositories.events.append(
            NewEvent(
                id: ids.make(.event), type: type, createdAt: time.now, objectId: objectId, data: try data.json()))
    }
}

extension EventRepository {
    /// The events after one that a reader has seen.
    ///
    /// - Parameters:
    ///   - id: an event in the same order; nil to begin with the first.
    ///   - type: nil for all types.
    /// - Throws: `DomainError.unknownEvent`, also for an event that is no longer kept: the reader may have missed some.
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
    public var events: EventLog { EventLog(ids: ids, time: time) }
}

/// An event before it has a place among the others.
public struct NewEvent: Sendable, Equatable {
    public let id: String
    /// The name of the type. A later server may have stored one that this server does not know.
    public let typeName: String
    public let createdAt: Date
    public let objectId: String
    /// The JSON of an `EventData`. It is passed on unchanged, so that consumers get an event as an earlier server
    /// stored it.
    public let data: Data

    public init(id: String, type: EventType, createdAt: Date, objectId: String, data: Data) {
        self.init(id: id, typeName: type.rawValue, createdAt: createdAt, objectId: objectId, data: data)
    }

    public init(id: String, typeName: String, createdAt: Date, objectId: String, data: Data) {
        self.id = id
        self.typeName = typeName
        self.createdAt = createdAt
        self.objectId = objectId
        self.data = data
    }

    public var type: EventType { EventType(rawValue: typeName) ?? .unrecognised }
}

/// A stored event with its place.
public struct EventRecord: Sendable, Equatable {
    /// Rises from event to event, with gaps. A consumer that has seen a position misses no event with a lower one.
    public let position: Int64
    public let event: NewEvent

    public init(position: Int64, event: NewEvent) {
        self.position = position
        self.event = event
    }

    /// - Throws: `JSONError` for data that this server cannot read.
    public var shopEvent: ShopEvent {
        get throws {
            ShopEvent(
                id: event.id, type: event.type, createdAt: event.createdAt, objectId: event.objectId,
                data: try EventData(json: event.data))
        }
    }
}

public protocol EventRepository {
    func append(_ event: NewEvent) throws

    /// Gives positions to committed events that have none, in a transaction of its own. A database that runs its writing
    /// transactions one at a time gives them on appending, and has nothing to do here.
    ///
    /// - Returns: whether there may be more.
    func number(limit: Int) throws -> Bool
    /// Whether committed events may have no position yet.
    func hasUnnumbered() throws -> Bool
    /// The latest position that was given to an event; 0 before the first. It may belong to a deleted one.
    func lastPosition() throws -> Int64
    /// In the order of their positions.
    ///
    /// - Parameters:
    ///   - types: nil for the events of all types, also of those that this server does not know; not empty.
    ///   - last: the last position that is read; nil for no end.
    func events(
        types: Set<EventType>?, after position: Int64, through last: Int64?, limit: Int
    ) throws -> [EventRecord]
    /// The latest first.
    ///
    /// - Parameters:
    ///   - types: as in `events`.
    ///   - position: nil to begin with the latest.
    func latestEvents(types: Set<EventType>?, before position: Int64?, limit: Int) throws -> [EventRecord]
    /// nil for an event that does not exist, or has no position yet.
    func event(id: String) throws -> EventRecord?

    /// The position up to which a consumer has taken the events; locked until the transaction ends. 0 for a new
    /// consumer.
    func place(of consumer: String) throws -> Int64
    func setPlace(of consumer: String, _ position: Int64) throws
    /// The places of all consumers, without locking them.
    func places() throws -> [String: Int64]
    /// Deletes events from before a time that all consumers have passed, at most `limit`. Returns whether there may be
    /// more.
    func purge(before: Date, limit: Int) throws -> Bool
}

extension Identifier.Kind {
    public static let event = Self("evt_")
}
