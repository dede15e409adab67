import SeededRandom
import ServerTesting
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("The fleet", .timeLimit(.minutes(5)))
struct FleetTests {
    /// A fleet with `count` kangaroos of each species.
    private func fleet(_ count: Int, in city: TestCity) -> Fleet {
        Fleet(RideEnvironment(city.environment, city: CitySettings(kangaroosOfEachSpecies: count)))
    }

    private func ids(in city: TestCity) async throws -> [String] {
        try await city.sql("SELECT id FROM drivers ORDER BY id").map { try $0.text(0) }
    }

    @Test func `Concurrent processes create each kangaroo and each image once`() async throws {
        try await TestCity.open([]) { city in
            try await city.another { other in
                _ = try await parallel(8) { number in
                    try await fleet(30, in: number.isMultiple(of: 2) ? city : other).establish()
                }
                let expected = Species.allCases.flatMap { species in (1...30).map { "drv_\(species.rawValue)_\($0)" } }
                #expect(try await ids(in: city) == expected.sorted())
                #expect(try await city.sql("SELECT 1 FROM assets WHERE path LIKE 'ride/%'").count == 6)
            }
        }
    }

    @Test func `A larger fleet adds kangaroos, a smaller removes none, and existing ones do not change`() async throws {
        try await TestCity.open([]) { city in
            try await fleet(2, in: city).establish()
            try await city.store.write {
                _ = try $0.drivers.claim(id: "drv_wallaby_1", rideId: "rid_1")
                try $0.drivers.release(id: "drv_wallaby_1", rideId: "rid_1", at: .bondi)
            }
            for (count, expected) in [(3, 9), (1, 9), (0, 9), (4, 12)] {
                try await fleet(count, in: city).establish()
                #expect(try await ids(in: city).count == expected)
                #expect(try await city.driver("drv_wallaby_1").location == .bondi)
            }
        }
    }

    @Test func `A complete fleet writes nothing, and a changed image is restored`() async throws {
        try await TestCity.open([]) { city in
            try await fleet(3, in: city).establish()
            let fleet = fleet(2, in: city)
            let again = try await RecordingDatabase.transactions { try await fleet.establish() }
            #expect(again.count == 1 && again[0].allSatisfy { $0.sql.hasPrefix("SELECT") }, "\(again)")
            let path = Species.wallaby.imagePath()
            func digests() async throws -> [Data] {
                try await city.sql("SELECT digest FROM assets ORDER BY path").map { try $0.data(0) }
            }
            let before = try await digests()
            let other = StoredAsset(path: path, mediaType: "image/svg+xml", digest: .init([1]), bytes: .init())
            try await city.store.write { try $0.assets.put(other) }
            try await fleet.establish()
            #expect(try await digests() == before)
        }
    }

    @Test func `Every kangaroo starts inside the city`() {
        for driver in Species.allCases.flatMap({ species in (0..<1_000).map { Fleet.driver($0, species) } }) {
            #expect(CitySettings.covers(driver.location), "\(driver)")
        }
    }
}

@Suite("The search for the nearest kangaroo", .timeLimit(.minutes(5)))
struct CityGridTests {
    /// Cities in the middle of cells, across the date line, far in the south and north, at the meridian and the
    /// equator, and on the corner of cells.
    private static let cities = [
        GeoPoint(latitude: -33.8688, longitude: 151.2093), GeoPoint(latitude: 17.3, longitude: 179.999),
        GeoPoint(latitude: -17.3, longitude: -180), GeoPoint(latitude: 69.9, longitude: 20),
        GeoPoint(latitude: -69.9, longitude: 179.99), GeoPoint(latitude: 0, longitude: 0),
        GeoPoint(latitude: -33.84, longitude: 151.2),
    ]

    private func nearest(
        _ species: Species = .wallaby, to point: GeoPoint = .operaHouse, without refused: [String] = [],
        in city: TestCity
    ) async throws -> DriverRecord? {
        try await city.store.read { try DriverSearch($0.drivers).nearest(species, to: point, without: refused) }
    }

    /// A random point within `degrees` of latitude of the centre, on a grid of `raster` degrees.
    private func point(
        near centre: GeoPoint, _ degrees: Double, raster: Double, _ random: inout SplitMix64
    ) -> GeoPoint {
        let stretch = 1 / cos(centre.latitude * .pi / 180)
        func rounded(_ value: Double) -> Double { (value / raster).rounded() * raster }
        let latitude = rounded(centre.latitude + Double.random(in: -degrees...degrees, using: &random))
        let longitude = rounded(centre.longitude + Double.random(in: -degrees...degrees, using: &random) * stretch)
        // The database stores six decimal places.
        return GeoPoint(
            latitude: (latitude * 1_000_000).rounded() / 1_000_000,
            longitude: (longitude.remainder(dividingBy: 360) * 1_000_000).rounded() / 1_000_000)
    }

    @Test(arguments: cities, [0.000_001, 0.01, 0.08])
    func `The search finds the same kangaroo as a comparison of all, in any city, after any refusals, and among equals`(
        city: GeoPoint, raster: Double
    ) async throws {
        var random = SplitMix64(seed: UInt64(abs(city.longitude)) + UInt64(1 / raster))
        let drivers = (0..<150).map { number in
            DriverRecord.calm(
                "drv_\(number)", Species.allCases[number % 2],
                at: point(near: city, number.isMultiple(of: 3) ? 0.02 : 0.4, raster: raster, &random))
        }
        let points = (0..<60).map { _ in point(near: city, 0.5, raster: raster, &random) }
        let refusals = drivers.map(\.id).shuffled(using: &random)
        try await TestCity.open(drivers) { shop in
            for (number, point) in points.enumerated() {
                let refused = Array(refusals.prefix(number))
                let all = drivers.filter { $0.species == .wallaby && !refused.contains($0.id) }
                    .filter { $0.location.distance(to: point) <= DriverSearch.reach }
                    .sorted { ($0.location.distance(to: point), $0.id) < ($1.location.distance(to: point), $1.id) }
                let found = try await nearest(to: point, without: refused, in: shop)
                #expect(found == all.first, "\(point)")
            }
        }
    }

    @Test func `Kangaroos beyond 20 km, with a ride or of another species are not found`() async throws {
        let near = DriverRecord.calm("drv_near", at: GeoPoint.operaHouse.north(19_990))
        let far = DriverRecord.calm("drv_far", at: GeoPoint.operaHouse.north(20_010))
        try await TestCity.open([near, far]) { city in
            #expect(try await nearest(in: city) == near)
            #expect(try await nearest(.wallaroo, in: city) == nil)
            let claims = try await parallel(5) { number in
                try await city.store.write(.readCommitted) {
                    try $0.drivers.claim(id: "drv_near", rideId: "rid_\(number)")
                }
            }
            #expect(claims.count { $0 } == 1)
            #expect(try await nearest(in: city) == nil)
        }
    }

    @Test(arguments: cities, CityGrid.Level.allCases)
    func `All points within the certain distance are inside the cells`(city: GeoPoint, level: CityGrid.Level) {
        var random = SplitMix64(seed: 9)
        for _ in 0..<2_000 {
            let centre = point(near: city, 0.1, raster: 0.000_001, &random)
            let rings = Int.random(in: 0...8, using: &random)
            let other = point(near: centre, level.degrees * Double(rings + 2), raster: 0.000_001, &random)
            let isInside = CityGrid.cells(around: centre, rings: rings, level).contains(CityGrid.cell(of: other, level))
            // The sphere's radius is a tenth of a millimetre below the constant.
            let certain = CityGrid.certainDistance(around: centre, rings: rings, level) - 0.001
            if !isInside { #expect(centre.distance(to: other) > certain, "\(centre) to \(other), \(rings) rings") }
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `Each search uses its index instead of reading all kangaroos or rides`() async throws {
        try await TestCity.open([]) { city in
            let transactions = try await RecordingDatabase.transactions {
                try await city.store.read { repositories in
                    let search = DriverSearch(repositories.drivers)
                    _ = try search.nearest(.wallaby, to: .operaHouse, without: [])
                    _ = try search.mayCome(.wallaby, to: .operaHouse, without: [])
                    _ = try repositories.rides.due(at: .distantFuture, limit: 100)
                    _ = try repositories.rides.nextDue(except: [])
                    _ = try repositories.rides.active(riderId: "acc_1")
                }
            }
            var plans: [String] = []
            for statement in transactions.joined() {
                let plan = try await city.sql("EXPLAIN QUERY PLAN " + statement.sql, statement.arguments)
                plans.append(try plan[0].text(3) + " ")
            }
            let indexes = [
                "drivers_waiting_near", "drivers_waiting_far", "drivers_waiting_far", "drivers_busy_far",
                "drivers_waiting_far", "rides_due", "rides_due", "rides_active_by_rider",
            ]
            #expect(plans.count == indexes.count)
            for (plan, index) in zip(plans, indexes) { #expect(plan.contains("USING INDEX \(index) "), "\(plan)") }
        }
    }

    @Test func `The reach is covered by at most eight rings up to 70 degrees of latitude`() {
        for latitude in stride(from: -70.0, through: 70, by: 0.5) {
            let point = GeoPoint(latitude: latitude, longitude: 20)
            let rings = CityGrid.rings(around: point, metres: DriverSearch.reach, .far)
            #expect((3...8).contains(rings))
            #expect(CityGrid.certainDistance(around: point, rings: rings, .far) >= DriverSearch.reach)
        }
    }
}
