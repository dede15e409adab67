import PouchRides
import SeededRandom
import ShopBenching

/// Measures rides: finding and claiming the nearest of 10,000 kangaroos, alternately with the grid and with a scan of
/// all kangaroos, and notifying 1,000 listeners of a ride.
///
/// Runs on SQLite, or on the PostgreSQL server in POUCH_TEST_POSTGRES.
@main
struct RideBench {
    static func main() async throws {
        readNoArguments(of: "Measures finding and claiming the nearest kangaroo, and notifying listeners of a ride.")
        say(TestDatabase.name)
        try await withNewDatabase { database, folder in
            try await Dispatching(database: try database.address).run()
            try await Listening(database: try database.address, folder: folder).run()
        }
    }
}

/// Measures pick-ups in a city of 10,000 kangaroos: finding the nearest free kangaroo, and the whole decision, which
/// claims it in a transaction, with many decisions at the same time.
struct Dispatching {
    private static let kangaroos = 10_000
    private static let rounds = 11
    private static let pickups = 512
    private static let atOnce = 64

    let database: DatabaseAddress

    func run() async throws {
        let database = try await database.open()
        var random = SplitMix64(seed: 7)
        let drivers = (0..<Self.kangaroos).map { number in
            DriverRecord(
                id: "drv_bench_\(number)", name: "Bench", species: Species.allCases[number % Species.allCases.count],
                temper: .calm, rating: 50, location: Self.point(&random))
        }
        try await ShopDatabase(database, currency: .eur).write { try $0.drivers.insert(drivers) }
        if case .postgres = self.database { try await database.write { try $0.script("ANALYZE drivers") } }
        let pickups = (0..<Self.pickups).map { _ in Self.point(&random) }
        let (grid, scan) = (GridDispatch(database: database), ScanDispatch(database: database))

        let found = (try await grid.find(pickups), try await scan.find(pickups))
        guard found.0 == found.1 else { throw BenchError("the grid and the scan find different kangaroos") }
        say("\(Self.kangaroos) kangaroos, a third of them of the requested species; \(Self.rounds) alternating rounds:")
        try await compare("finding", { _ = try await grid.find(pickups) }, { _ = try await scan.find(pickups) })
        try await compare(
            "deciding, \(Self.atOnce) at a time",
            { try await Self.all(pickups, grid.decide) }, { try await Self.all(pickups, scan.decide) })
        try await database.close()
    }

    private func compare(
        _ name: String, _ grid: () async throws -> Void, _ scan: () async throws -> Void
    ) async throws {
        // The first round warms up.
        _ = (try await Self.rate(grid), try await Self.rate(scan))
        var (grids, scans) = ([Double](), [Double]())
        for _ in 0..<Self.rounds {
            grids.append(try await Self.rate(grid))
            scans.append(try await Self.rate(scan))
        }
        let ratios = zip(grids, scans).map { $0 / $1 }.sorted()
        let (lowest, highest) = (ratios[0].text(1), ratios[ratios.count - 1].text(1))
        let rates = "grid \(Int(grids.median))/s, linear scan \(Int(scans.median))/s"
        say("  \(name.padded(24))\(rates), ratio \(ratios.median.text(1)) (\(lowest) to \(highest))")
    }

    private static func rate(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return Double(pickups) / start.elapsedSeconds
    }

    private static func all(
        _ pickups: [GeoPoint], _ decide: @escaping @Sendable (GeoPoint, String) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, pickup) in pickups.enumerated() {
                if number >= atOnce { try await group.next() }
                group.addTask { try await decide(pickup, "rid_bench_\(number)") }
            }
            try await group.waitForAll()
        }
    }

    /// Returns a point within some 20 km of the centre of Sydney.
    private static func point(_ random: inout SplitMix64) -> GeoPoint {
        func offset(_ random: inout SplitMix64) -> Double { Double(random.next() % 400_000) / 1_000_000 - 0.2 }
        return GeoPoint(latitude: -33.87 + offset(&random), longitude: 151.1 + offset(&random))
    }
}

// MARK: - The grid and the scan

/// Dispatches with the grid, as the server does.
private struct GridDispatch: Sendable {
    private let store: ShopDatabase

    init(database: any Database) { store = ShopDatabase(database, currency: .eur) }

    /// - Returns: The IDs of the nearest free kangaroos.
    func find(_ pickups: [GeoPoint]) async throws -> [String] {
        try await store.read { repositories in
            try pickups.map { try DriverSearch(repositories.drivers).nearest(.kangaroo, to: $0, without: [])?.id ?? "" }
        }
    }

    /// Claims the nearest free kangaroo and releases it.
    func decide(_ pickup: GeoPoint, rideId: String) async throws {
        try await store.write(.readCommitted) { repositories in
            let taken = try DriverSearch(repositories.drivers)
                .claimNearest(.kangaroo, to: pickup, without: [], rideId: rideId)
            guard let taken else { throw BenchError("no kangaroo is free") }
            try repositories.drivers.release(id: taken.id, rideId: rideId, at: taken.location)
        }
    }
}

/// Dispatches without an index: reads all free kangaroos and takes the smallest distance.
private struct ScanDispatch: Sendable {
    let database: any Database

    /// - Returns: The IDs of the nearest free kangaroos.
    func find(_ pickups: [GeoPoint]) async throws -> [String] {
        try await database.read { connection in try pickups.map { try Self.nearest($0, on: connection).text(0) } }
    }

    /// Claims the nearest free kangaroo and releases it.
    func decide(_ pickup: GeoPoint, rideId: String) async throws {
        try await database.write(.readCommitted) { connection in
            let row = try Self.nearest(pickup, on: connection)
            let (id, ride) = (SQLValue.text(try row.text(0)), SQLValue.text(rideId))
            try connection.run("UPDATE drivers SET ride_id = ? WHERE id = ? AND ride_id IS NULL", [ride, id])
            try connection.run(
                """
                UPDATE drivers SET latitude = ?, longitude = ?, near_cell = ?, far_cell = ?, ride_id = NULL
                WHERE id = ? AND ride_id = ?
                """, try (1...4).map { .integer(try row.integer($0)) } + [id, ride])
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
            throw BenchError("no kangaroo is free")
        }
        return first.row
    }
}
