import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var drivers: any DriverRepository { SQLDrivers(connection: connection) }
}

struct SQLDrivers: DriverRepository {
    let connection: any SQLConnection

    func driver(id: String) throws -> DriverRecord? {
        try connection.row("SELECT \(Self.columns) FROM drivers WHERE id = ?", [.text(id)]).map(Self.record)
    }

    func insert(_ drivers: [DriverRecord]) throws {
        try connection.insert(
            into: "drivers (\(Self.columns), near_cell, far_cell)",
            drivers.map { driver in
                [
                    .text(driver.id), .text(driver.name), .text(driver.species.rawValue),
                    .text(driver.temper.rawValue), .integer(driver.rating),
                ] + Self.place(driver.location)
            }, "ON CONFLICT DO NOTHING")
    }

    func count() throws -> Int {
        try connection.row("SELECT COUNT(*) FROM drivers", [])?.int(0) ?? 0
    }

    func waiting(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord] {
        try drivers(species, in: cells, where: "ride_id IS NULL")
    }

    func busy(_ species: Species, in cells: [CityGrid.Cell]) throws -> [DriverRecord] {
        try drivers(species, in: cells, where: "ride_id IS NOT NULL")
    }

    func claim(id: String, rideId: String) throws -> Bool {
        // An UPDATE that waits for a lock would keep it until the end of the transaction, even if it then changes
        // nothing.
        try connection.run(
            """
            UPDATE drivers SET ride_id = ?
            WHERE id = (SELECT id FROM drivers WHERE id = ? AND ride_id IS NULL\(connection.dialect.freeRowLock))
            """, [.text(rideId), .text(id)]) == 1
    }

    func release(id: String, rideId: String, at location: GeoPoint) throws {
        try connection.run(
            """
            UPDATE drivers SET latitude = ?, longitude = ?, near_cell = ?, far_cell = ?, ride_id = NULL
            WHERE id = ? AND ride_id = ?
            """, Self.place(location) + [.text(id), .text(rideId)])
    }

    // MARK: Rows

    private static let columns = "id, name, species, temper, rating, latitude, longitude"

    private func drivers(
        _ species: Species, in cells: [CityGrid.Cell], where condition: String
    ) throws -> [DriverRecord] {
        guard let level = cells.first?.level else { return [] }
        let column =
            switch level {
            case .near: "near_cell"
            case .far: "far_cell"
            }
        let list = SQLList.places(cells.map { .integer($0.number) })
        return try connection.rows(
            """
            SELECT \(Self.columns) FROM drivers
            WHERE species = ? AND \(condition) AND \(column) IN \(list.sql)
            """, [.text(species.rawValue)] + list.arguments
        ).map(Self.record)
    }

    /// The coordinates and cells of a point.
    private static func place(_ point: GeoPoint) -> [SQLValue] {
        [
            .integer(millionths(point.latitude)), .integer(millionths(point.longitude)),
            .integer(CityGrid.cell(of: point, .near).number), .integer(CityGrid.cell(of: point, .far).number),
        ]
    }

    private static func millionths(_ degrees: Double) -> Int64 { Int64((degrees * 1_000_000).rounded()) }

    private static func record(_ row: SQLRow) throws -> DriverRecord {
        DriverRecord(
            id: try row.text(0), name: try row.text(1), species: try row.value(2), temper: try row.value(3),
            rating: try row.int(4),
            location: GeoPoint(
                latitude: Double(try row.integer(5)) / 1_000_000, longitude: Double(try row.integer(6)) / 1_000_000))
    }
}
