import Foundation
import PouchDomain

/// Figures about the work of a shop, for its operators.
///
/// Each is read from an index within a bound, so that a reading stays cheap however large the shop is.
public struct ShopReadings: Sendable {
    /// The largest count of a figure.
    public static let bound = 10_000

    /// Orders that are not settled, and those that are not sent.
    public let pendingOrders: Int
    public let paidOrders: Int
    /// The time of the oldest order that is not settled.
    public let oldestPendingOrder: Date?
    public let pendingRefunds: Int
    /// Imports that are not done, received ones included.
    public let unfinishedImports: Int
    /// Rides under way, by status.
    public let activeRides: [String: Int]
    /// The position of the latest event.
    public let lastEvent: Int64
    /// The positions up to which consumers have taken the events.
    public let eventPlaces: [String: Int64]
    /// The time of the oldest event that a consumer has not taken, or that no consumer can see yet.
    public let oldestWaitingEvent: Date?
}

extension ShopDatabase.Transaction {
    /// - Parameter consumers: the names of the consumers of events; one without a place has taken none.
    public func readings(consumers: [String]) throws -> ShopReadings {
        let events = SQLEvents(connection: connection)
        var places = try events.places()
        for consumer in consumers where places[consumer] == nil { places[consumer] = 0 }
        let rides = try connection.rows(
            """
            SELECT status, COUNT(*) FROM (SELECT status FROM rides WHERE due_at IS NOT NULL LIMIT ?) active
            GROUP BY status
            """, [.integer(ShopReadings.bound)])
        return ShopReadings(
            pendingOrders: try count("orders WHERE status = 'pending'"),
            paidOrders: try count("orders WHERE status = 'paid'"),
            oldestPendingOrder: try first(
                "SELECT created_at FROM orders WHERE status = 'pending' ORDER BY id LIMIT 1"),
            pendingRefunds: try count("refunds WHERE is_pending = 1"),
            unfinishedImports: try count("imports WHERE phase <> 'ended'"),
            activeRides: Dictionary(
                try rides.map { (try $0.text(0), Int(try $0.integer(1))) }, uniquingKeysWith: { first, _ in first }),
            lastEvent: try events.lastPosition(),
            eventPlaces: places,
            oldestWaitingEvent: try oldestWaitingEvent(after: places.values.min()))
    }

    /// The number of events of each type between two positions.
    public func eventCounts(after position: Int64, through last: Int64) throws -> [String: Int] {
        let rows = try connection.rows(
            "SELECT type, COUNT(*) FROM numbered_events WHERE position > ? AND position <= ? GROUP BY type",
            [.integer(position), .integer(last)])
        return Dictionary(
            try rows.map { (try $0.text(0), Int(try $0.integer(1))) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter place: that of the consumer which is furthest behind; nil without consumers.
    private func oldestWaitingEvent(after place: Int64?) throws -> Date? {
        let untaken = try place.flatMap { place in
            try first(
                "SELECT created_at FROM numbered_events WHERE position > ? ORDER BY position LIMIT 1", [.integer(place)]
            )
        }
        guard connection.dialect == .postgres else { return untaken }
        let unnumbered = try first(
            """
            SELECT created_at FROM events e WHERE seq > (SELECT floor FROM event_numbering)
                AND (SELECT position FROM event_positions p WHERE p.seq = e.seq) IS NULL
            ORDER BY seq LIMIT 1
            """)
        return [untaken, unnumbered].compactMap(\.self).min()
    }

    private func count(_ rows: String) throws -> Int {
        let row = try connection.row(
            "SELECT COUNT(*) FROM (SELECT 1 AS found FROM \(rows) LIMIT ?) bounded", [.integer(ShopReadings.bound)])
        return Int(try row?.integer(0) ?? 0)
    }

    private func first(_ sql: String, _ arguments: [SQLValue] = []) throws -> Date? {
        try connection.row(sql, arguments)?.date(0)
    }
}
