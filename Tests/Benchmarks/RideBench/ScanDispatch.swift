import Benchmarking
import PouchDomain
import PouchEntities
import PouchRides
import PouchStorage

/// What one would write without an index: all that are free, and the smallest distance.
struct ScanDispatch: Sendable {
    let database: any Database

    /// - Returns: the ids of the nearest.
    func find(_ pickups: [GeoPoint]) async throws -> [String] {
        try await database.read { connection in
            try pickups.map { try Self.nearest($0, on: connection).text(0) }
        }
    }

    /// Takes the nearest, and lets it go again.
    func decide(_ pickup: GeoPoint, rideId: String) async throws {
        try await database.write(.readCommitted) { connection in
            let row = try Self.nearest(pickup, on: connection)
            let id = SQLValue.text(try row.text(0))
            try connection.run(
                "UPDATE drivers SET ride_id = ? WHERE id = ? AND ride_id IS NULL", [.text(rideId), id])
            try connection.run(
                """
                UPDATE drivers SET latitude = ?, longitude = ?, near_cell = ?, far_cell = ?, ride_id = NULL
                WHERE id = ? AND ride_id = ?
                """, try (1...4).map { .integer(try row.integer($0)) } + [id, .text(rideId)])
        }
    }

    private static func nearest(_ pickup: GeoPoint, on connection: any SQLConnection) throws -> SQLRow {
        let rows = try connection.rows(
            """
            SELECT id, latitude, longitude, near_cell, far_cell FROM drivers
            WHERE species = 'kangaroo' AND ride_id IS NULL
            """, [])
        let distances = try rows.map { row in
            let point = GeoPoint(
                latitude: Double(try row.integer(1)) / 1_000_000, longitude: Double(try row.integer(2)) / 1_000_000)
            return (row: row, id: try row.text(0), distance: point.distance(to: pickup))
        }
        guard let first = distances.min(by: { ($0.distance, $0.id) < ($1.distance, $1.id) }) else {
            throw BenchError("nobody is free")
        }
        return first.row
    }
}
