import Foundation
import PouchDomain
import PouchEntities
import PouchRides
import PouchStorage

/// Searches the database for states of rides that must never exist.
struct RideInspection: Sendable {
    let database: any Database
    let riderIds: [String]
    /// The number of kangaroos at the start.
    let kangaroos: Int

    /// Queries for states that are wrong at any time, with descriptions. Each row is a violation.
    private static let never = [
        "a kangaroo has two rides":
            """
        SELECT driver_id FROM rides WHERE due_at IS NOT NULL AND driver_id IS NOT NULL
        GROUP BY driver_id HAVING COUNT(*) > 1
        """,
        "a rider has two rides":
            """
        SELECT rider_id FROM rides WHERE due_at IS NOT NULL AND rider_id IS NOT NULL
        GROUP BY rider_id HAVING COUNT(*) > 1
        """,
        "the kangaroo of a ride has not recorded it":
            """
        SELECT rides.id FROM rides LEFT JOIN drivers ON drivers.id = driver_id AND ride_id = rides.id
        WHERE due_at IS NOT NULL AND driver_id IS NOT NULL AND drivers.id IS NULL
        """,
        "the ride of a kangaroo has not recorded it":
            """
        SELECT drivers.id FROM drivers LEFT JOIN rides ON rides.id = ride_id AND driver_id = drivers.id
        WHERE ride_id IS NOT NULL AND (rides.id IS NULL OR due_at IS NULL)
        """,
    ]

    /// Returns the violations now, while rides are under way.
    func violations() async throws -> [String] {
        try await database.read { connection in
            try Self.never.flatMap { name, sql in try connection.rows(sql, []).map { "\(name): \(try $0.text(0))" } }
        }
    }

    /// Returns the violations after all rides have ended.
    ///
    /// - Parameter ids: The rides that riders received.
    func violations(acknowledged ids: [String]) async throws -> [String] {
        var wrong = try await violations()
        let rides = try await ShopDatabase(database, currency: .eur).read { [riderIds] repositories in
            try riderIds.map { try repositories.rides.rides(riderId: $0, after: nil, limit: .max) }
        }
        for ride in rides.joined() {
            if ride.dueAt != nil { wrong.append("\(ride.id) has not ended: \(ride.status)") }
            if !Self.isLegal(ride.history) { wrong.append("\(ride.id) has the history \(ride.history.map(\.status))") }
        }
        let known = Set(rides.joined().map(\.id))
        wrong += ids.filter { !known.contains($0) }.map { "\($0) was acknowledged and does not exist" }
        if known.count != Set(ids).count {
            wrong.append("the shop has \(known.count) rides, the riders received \(Set(ids).count)")
        }
        // The past counts too: no rider and no kangaroo was in two places at once.
        for rides in rides { wrong += Self.overlaps(rides.map { ($0.id, $0.createdAt, $0.history.last?.at) }) }
        let carried = Dictionary(
            grouping: rides.joined().filter { $0.status == .completed }, by: { $0.engagement?.driverId })
        for rides in carried.values {
            wrong += Self.overlaps(
                rides.map { ride in
                    (ride.id, ride.history.last { $0.status == .accepted }?.at ?? ride.createdAt, ride.history.last?.at)
                })
        }
        let drivers = try await database.read { connection in
            try connection.rows("SELECT ride_id FROM drivers", []).map { try $0.optional(0, SQLRow.text) }
        }
        if drivers.count != kangaroos { wrong.append("\(drivers.count) of \(kangaroos) kangaroos exist") }
        wrong += drivers.compactMap(\.self).map { "a kangaroo still has \($0)" }
        return wrong
    }

    private static func isLegal(_ history: [Ride.Event]) -> Bool {
        history.first?.status == .requested && history.last?.status.isFinal == true
            && zip(history, history.dropFirst()).allSatisfy {
                RideMachine.allows($0.status, to: $1.status) && $0.at <= $1.at
            }
    }

    /// Returns the pairs of rides that overlap. The database stores milliseconds, which explains the tolerance.
    private static func overlaps(_ rides: [(id: String, from: Date, to: Date?)]) -> [String] {
        let rides = rides.sorted { $0.from < $1.from }
        return zip(rides, rides.dropFirst()).compactMap { one, next in
            next.from.addingTimeInterval(0.002) < one.to ?? one.from
                ? "\(one.id) and \(next.id) overlap" : nil
        }
    }
}
