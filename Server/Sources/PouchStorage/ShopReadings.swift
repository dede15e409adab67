import Foundation
import PouchDomain

/// Metrics about a shop, for its operators.
///
/// Each is read from an index with a limit, so that a reading is cheap however large the shop is.
public struct ShopReadings: Sendable {
    /// The maximum count of a metric.
    public static let bound = 10_000

    /// The number of orders that are not settled. `paidOrders` counts those that are not sent.
    public let pendingOrders: Int
    public let paidOrders: Int
    /// The time of the oldest order that is not settled.
    public let oldestPendingOrder: Date?
    public let pendingRefunds: Int
    /// The number of unfinished imports, including received ones.
    public let unfinishedImports: Int
    /// The active rides by status.
    public let activeRides: [String: Int]
    /// The position of the latest event.
    public let lastEvent: Int64
    /// The positions up to which consumers have processed the events.
    public let eventPlaces: [String: Int64]
    /// The time of the oldest event that a consumer has not processed, or that no consumer can see yet.
    public let oldestWaitingEvent: Date?
}

extension ShopDatabase.Transaction {
    /// - Parameter consumers: the names of the event consumers; one without a place has processed none.
    public func readings(consumers: [String]) throws -> ShopReadings {
        let events = SQLEvents(connection: connection)
        var places = try events.positions()
        for consumer in consumers where places[consumer] == nil { places[consumer] = 0 }
        let rides = try connection.rows(
            """
            SELECT status, COUNT(*) FROM (SELECT status FROM rides WHERE due_at IS NOT NULL LIMIT ?) active
            GROUP BY status
            """, [.integer(ShopReadings.bound)])
        return ShopReadings(
            pendingOrders: try count("orders WHERE status = 'pending'"),
            paidOrders: try count("orders WHERE status = 'paid'"),
            oldestPendingOrder: try connection.date(
                "SELECT created_at FROM orders WHERE status = 'pending' ORDER BY id LIMIT 1"),
            pendingRefunds: try count("refunds WHERE is_pending = 1"),
            unfinishedImports: try count("imports WHERE phase <> 'ended'"),
            activeRides: try rides.byText { try $0.int(1) },
            lastEvent: try events.lastPosition(),
            eventPlaces: places,
            oldestWaitingEvent: try oldestWaitingEvent(after: places.values.min()))
    }

    /// The number of events of each type between two positions.
    public func eventCounts(after position: Int64, through last: Int64) throws -> [String: Int] {
        try connection.rows(
            "SELECT type, COUNT(*) FROM numbered_events WHERE position > ? AND position <= ? GROUP BY type",
            [.integer(position), .integer(last)]
        ).byText { try $0.int(1) }
    }

    /// - Parameter place: the place of the consumer that is furthest behind; nil without consumers.
    private func oldestWaitingEvent(after place: Int64?) throws -> Date? {
        let untaken = try place.flatMap { place in
            try connection.date(
                "SELECT created_at FROM numbered_events WHERE position > ? ORDER BY position LIMIT 1", [.integer(place)]
            )
        }
        guard connection.dialect == .postgres else { return untaken }
        let unnumbered = try connection.date(
            """
            SELECT created_at FROM events e WHERE seq > (SELECT floor FROM event_numbering)
                AND (SELECT position FROM event_positions p WHERE p.seq = e.seq) IS NULL
            ORDER BY seq LIMIT 1
            """)
        return [untaken, unnumbered].compactMap(\.self).min()
    }

    private func count(_ rows: String) throws -> Int {
        try connection.row(
            "SELECT COUNT(*) FROM (SELECT 1 AS found FROM \(rows) LIMIT ?) bounded", [.integer(ShopReadings.bound)])?
            .int(0) ?? 0
    }
}
