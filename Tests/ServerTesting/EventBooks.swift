import PouchDomain
import PouchEntities

/// Compares the events of orders with the orders: each change has its event once, in the order of the changes, and
/// nothing else has one.
public struct EventBooks: Sendable {
    private let events: [String: [EventRecord]]

    /// - Parameter events: the events, in the order of their positions.
    public init(_ events: [EventRecord]) {
        self.events = Dictionary(grouping: events, by: \.event.objectId)
    }

    /// - Parameter refunds: the refunds of the order; a pending one is not made by the provider yet.
    /// - Returns: a sentence for each contradiction.
    public func violations(
        of record: OrderRecord, refunds: [(refund: RefundRecord, isPending: Bool)]
    ) -> [String] {
        let order = record.order
        let found = events[order.id] ?? []
        let types = found.map(\.event.type)
        var wrong: [String] = []
        func check(_ holds: Bool, _ text: String) {
            if !holds { wrong.append("The order \(order.id) \(text): \(types.map(\.rawValue)), \(order.history).") }
        }
        let told = types.filter(Self.ofStatuses.contains).collapsed
        check(Self.changes(of: order).contains(told), "has other changes than events")
        check(types.count { $0 == .refundCreated } == refunds.count, "has \(refunds.count) refunds")
        let made = refunds.count { !$0.isPending }
        check(types.count { $0 == .refundSucceeded } == made, "has \(made) refunds that were made")
        for (event, status) in zip(found, found.map { try? $0.shopEvent.data.order?.status }) {
            let type = EventType(entering: status ?? .unrecognised)
            check(
                !Self.ofStatuses.contains(event.event.type) || type == event.event.type,
                "has an event with the state of another")
        }
        return wrong
    }

    private static let ofStatuses = Set(OrderStatus.allCases.compactMap(EventType.init(entering:)))

    /// The events that the order must have. There are two possibilities if it was paid and cancelled in one millisecond:
    /// a payment that comes after its units were sold to others is one change with the cancellation.
    private static func changes(of order: Order) -> [[EventType]] {
        let history = order.history.compactMap { EventType(entering: $0.status) }.collapsed
        guard let paid = order.history.first(where: { $0.status == .paid }),
            order.history.contains(where: { $0.status == .cancelled && $0.at == paid.at })
        else { return [history] }
        return [history, history.filter { $0 != .orderPaid }]
    }
}

extension [EventType] {
    /// The list without consecutive repetitions: each further partial refund leaves the status unchanged.
    fileprivate var collapsed: [EventType] {
        reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
