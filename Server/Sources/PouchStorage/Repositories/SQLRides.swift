import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var rides: any RideRepository { SQLRides(connection: connection) }
}

/// Stores a ride as one row, with everything that is not searched as JSON.
struct SQLRides: RideRepository {
    let connection: any SQLConnection

    func insert(_ ride: RideRecord) throws -> Bool {
        let (riderId, orderId): (String?, String?) =
            switch ride.passenger {
            case .rider(let id): (id, nil)
            case .goods(let orderId): (nil, orderId)
            }
        let isInserted =
            try connection.run(
                """
                INSERT INTO rides (\(Self.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                [
                    .text(ride.id), .optional(riderId), .optional(orderId), .text(ride.species.rawValue),
                    .text(ride.status.rawValue), try .json(ride.waypoints), .integer(ride.fare.amount),
                    .text(ride.fare.currency.code), .integer(ride.distanceMetres), .time(ride.createdAt),
                    try .json(ride.history), .optional(ride.engagement?.driverId),
                    try .json(ride.engagement), try .json(ride.refusals), .time(ride.dueAt),
                    .integer(ride.version),
                ]) == 1
        if isInserted { try connection.announce(.rideRequested) }
        return isInserted
    }

    func ride(id: String, locking: Bool) throws -> RideRecord? {
        try connection.row(id, of: "rides", Self.columns, locking: locking).map(Self.record)
    }

    func rides(riderId: String, after id: String?, limit: Int) throws -> [RideRecord] {
        let page = SQLPage(where: [("rider_id", riderId)], after: id, limit: limit)
        return try rides(page.sql, page.arguments)
    }

    func active(riderId: String) throws -> RideRecord? {
        try rides("WHERE rider_id = ? AND due_at IS NOT NULL", [.text(riderId)]).first
    }

    func update(_ ride: RideRecord) throws -> Bool {
        try connection.run(
            """
            UPDATE rides SET status = ?, history = ?, driver_id = ?, engagement = ?, refusals = ?, due_at = ?,
                version = version + 1
            WHERE id = ? AND version = ?
            """,
            [
                .text(ride.status.rawValue), try .json(ride.history), .optional(ride.engagement?.driverId),
                try .json(ride.engagement), try .json(ride.refusals), .time(ride.dueAt),
                .text(ride.id), .integer(ride.version),
            ]) == 1
    }

    func due(at now: Date, limit: Int) throws -> [(id: String, orderId: String?)] {
        try connection.rows(
            """
            SELECT id, order_id FROM rides
            WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY driver_id IS NULL, due_at LIMIT ?
            """, [.time(now), .integer(limit)]
        ).map { (try $0.text(0), try $0.optional(1, SQLRow.text)) }
    }

    func nextDue(except ids: Set<String>) throws -> Date? {
        try connection.rows(
            "SELECT id, due_at FROM rides WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ?", [.integer(ids.count + 1)]
        ).first { try !ids.contains($0.text(0)) }?.date(1)
    }

    func changed(since versions: [String: Int]) throws -> [RideRecord] {
        try connection.rows(of: "rides", Self.columns, changedSince: versions).map(Self.record)
    }

    func deleteEnded(ownerId: String) throws {
        try connection.run("DELETE FROM rides WHERE rider_id = ? AND due_at IS NULL", [.text(ownerId)])
        try connection.run(
            """
            DELETE FROM rides
            WHERE due_at IS NULL AND order_id IN (SELECT id FROM orders WHERE owner_id = ?)
            """, [.text(ownerId)])
    }

    func deleteDeserted(id: String) throws {
        // Deleting an account either removes the address of its orders, without which a courier delivers none, or sets
        // the time of their next check.
        try connection.run(
            """
            DELETE FROM rides
            WHERE id = ? AND due_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = rides.rider_id)
                AND (order_id IS NULL
                    OR EXISTS (
                        SELECT 1 FROM orders WHERE orders.id = rides.order_id
                            AND (orders.shipping IS NULL OR orders.anonymise_at IS NOT NULL)))
            """, [.text(id)])
    }

    // MARK: Rows

    private static let columns = """
        id, rider_id, order_id, species, status, waypoints, fare, currency, distance_metres, created_at, history,
        driver_id, engagement, refusals, due_at, version
        """

    private func rides(_ clauses: String, _ arguments: [SQLValue]) throws -> [RideRecord] {
        try connection.rows("SELECT \(Self.columns) FROM rides \(clauses)", arguments).map(Self.record)
    }

    private static func record(_ row: SQLRow) throws -> RideRecord {
        let rider = try row.optional(1, SQLRow.text).map(RideRecord.Passenger.rider)
        return RideRecord(
            id: try row.text(0), passenger: try rider ?? .goods(orderId: row.text(2)), species: try row.value(3),
            waypoints: try row.json(5), fare: Money(try row.integer(6), try row.currency(7)),
            distanceMetres: try row.int(8), createdAt: try row.date(9), history: try row.json(10),
            engagement: try row.optionalJSON(12), refusals: try row.json(13),
            dueAt: try row.optional(14, SQLRow.date), version: try row.int(15))
    }
}
