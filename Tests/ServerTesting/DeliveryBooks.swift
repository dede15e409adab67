import PouchDomain
import PouchEntities
import PouchStorage

/// Compares the events with the webhooks and e-mails that have arrived: each event has its own, and those of one object
/// have arrived in the order of its events.
public struct DeliveryBooks: Sendable {
    /// The event types of the webhook.
    public static let webhookTypes: [EventType] = [
        .orderPlaced, .orderPaid, .orderFulfilled, .orderDelivered, .orderCancelled, .orderRefunded,
        .orderPartiallyRefunded, .refundSucceeded, .stockLow,
    ]
    private static let mailTypes: Set<EventType> = [
        .orderPlaced, .orderPaid, .orderFulfilled, .orderDelivered, .orderCancelled, .refundSucceeded,
    ]

    private let events: [EventRecord]
    /// The orders whose buyers have an address.
    private let reachable: Set<String>

    /// - Parameter events: the events, in the order of their positions.
    public init(_ events: [EventRecord], _ orders: [OrderRecord]) {
        self.events = events
        reachable = Set(orders.filter { $0.order.email != nil }.map(\.order.id))
    }

    /// - Parameter arrived: the ids of the events whose webhooks arrived, in the order in which each arrived first.
    public func violations(webhooks arrived: [String]) -> [String] {
        let places = Dictionary(uniqueKeysWithValues: arrived.enumerated().map { ($1, $0) })
        var last: [String: Int] = [:]
        var wrong: [String] = []
        for record in events where Self.webhookTypes.contains(record.event.type) {
            let event = record.event
            guard let place = places[record.id] else {
                wrong.append("The webhook of the event \(record.id), \(event.type.rawValue), did not arrive.")
                continue
            }
            if place < last[event.objectId] ?? 0 {
                wrong.append(
                    "The webhook of the event \(record.id) arrived after that of a later one of \(event.objectId).")
            }
            last[event.objectId] = place
        }
        return wrong
    }

    /// A queued e-mail about an event.
    public struct Mail: Sendable {
        let id: String
        let eventId: String
        let isSent: Bool

        /// All queued e-mails of the shop.
        public static func all(in connection: any SQLConnection) throws -> [Mail] {
            try connection.rows("SELECT id, event_id, sent_at FROM mails WHERE event_id IS NOT NULL", []).map { row in
                Mail(
                    id: try row.text(0), eventId: try row.text(1),
                    isSent: try row.optional(2, SQLRow.integer) != nil)
            }
        }
    }

    /// - Parameters:
    ///   - arrived: the ids of the e-mails that arrived.
    ///   - isComplete: whether each event must have its e-mail. A shop does not send e-mails that are two days old.
    public func violations(mails: [Mail], arrived: Set<String>, isComplete: Bool = true) -> [String] {
        var wrong = mails.filter { $0.isSent && !arrived.contains($0.id) }
            .map { "The mail \($0.id) counts as sent, and did not arrive." }
        guard isComplete else { return wrong }
        let byEvent = Dictionary(grouping: mails, by: \.eventId)
        let wanted = events.filter { Self.mailTypes.contains($0.event.type) && reachable.contains($0.event.objectId) }
        for record in wanted {
            let found = byEvent[record.id] ?? []
            if found.count != 1 {
                wrong.append("The event \(record.id), \(record.event.type.rawValue), has \(found.count) mails.")
            }
            wrong += found.filter { !$0.isSent }.map { "The mail \($0.id) of the event \(record.id) was not sent." }
        }
        return wrong
    }
}
