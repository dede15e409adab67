import Foundation
import PouchEntities
import PouchStorage
import SeededRandom
import TestDatabase
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("The nearest kangaroo", .timeLimit(.minutes(2)))
struct CityGridTests {
    /// Where cities are: in the middle of cells, across the date line, far in the south and north, at the meridian and the
    /// equator, on the corner of cells.
    private static let cities = [
        GeoPoint(latitude: -33.8688, longitude: 151.2093), GeoPoint(latitude: 17.3, longitude: 179.999),
        GeoPoint(latitude: -17.3, longitude: -180), GeoPoint(latitude: 69.9, longitude: 20),
        GeoPoint(latitude: -69.9, longitude: 179.99), GeoPoint(latitude: 0, longitude: 0),
        GeoPoint(latitude: -33.84, longitude: 151.2),
    ]

    /// A point within so many degrees of latitude, on a raster as coarse as is said.
    private func point(
        near centre: GeoPoint, _ degrees: Double, raster: Double, _ random: inout SplitMix64
    ) -> GeoPoint {
        let stretch = 1 / cos(centre.latitude * .pi / 180)
        func rounded(_ value: Double) -> Double { (value / raster).rounded() * raster }
        let latitude = rounded(centre.latitude + Double.random(in: -degrees...degrees, using: &random))
        let longitude = rounded(centre.longitude + Double.random(in: -degrees...degrees, using: &random) * stretch)
        // Six digits are kept.
        return GeoPoint(
            latitude: (latitude * 1_000_000).rounded() / 1_000_000,
            longitude: (longitude.remainder(dividingBy: 360) * 1_000_000).rounded() / 1_000_000)
    }

    @Test(arguments: cities, [0.000_001, 0.01, 0.08])
    func `It is who a search through all finds, wherever the city lies and whoever has refused`(
        city: GeoPoint, raster: Double
    ) async throws {
        var random = SplitMix64(seed: UInt64(abs(city.longitude)) + UInt64(1 / raster))
        let drivers = (0..<150).map { number in
            DriverRecord(
                id: "drv_\(number)", name: "Skip", species: Species.allCases[number % 2], temper: .calm, rating: 40,
                location: point(near: city, number.isMultiple(of: 3) ? 0.02 : 0.4, raster: raster, &random))
        }
        let questions = (0..<60).map { number in
            (point: point(near: city, 0.5, raster: raster, &random), number: number)
        }
        let refusals = drivers.map(\.id).shuffled(using: &random)
        try await TestCity.open(drivers) { shop in
            for (point, number) in questions {
                let refused = Array(refusals.prefix(number))
                let found = try await shop.store.read {
                    try DriverSearch($0.drivers).nearest(.wallaby, to: point, without: refused)
                }
                let all = drivers.filter { $0.species == .wallaby && !refused.contains($0.id) }
                    .filter { $0.location.distance(to: point) <= DriverSearch.reach }
                    .sorted { ($0.location.distance(to: point), $0.id) < ($1.location.distance(to: point), $1.id) }
                #expect(found == all.first, "\(point)")
            }
        }
    }

    @Test func `Of many at the same point it is always the same one, and each in turn when others refuse`()
        async throws
    {
        let drivers = (0..<20).map { number in
            DriverRecord(
                id: "drv_\(10 + number)", name: "Skip", species: .wallaby, temper: .calm, rating: 40,
                location: .operaHouse)
        }
        try await TestCity.open(drivers.reversed()) { city in
            for count in 0...20 {
                let refused = drivers.prefix(count).map(\.id)
                let found = try await city.store.read {
                    try DriverSearch($0.drivers).nearest(.wallaby, to: .operaHouse, without: refused)
                }
                #expect(found == drivers.dropFirst(count).first)
            }
        }
    }

    @Test func `Whoever is beyond 20 km does not come, nor who has a ride or is of another species`() async throws {
        let drivers = [("drv_near", 19_990.0), ("drv_far", 20_010)].map { id, metres in
            DriverRecord(
                id: id, name: "Skip", species: .wallaby, temper: .calm, rating: 40,
                location: GeoPoint.operaHouse.north(metres))
        }
        try await TestCity.open(drivers) { city in
            func found(_ species: Species) async throws -> String? {
                try await city.store.read {
                    try DriverSearch($0.drivers).nearest(species, to: .operaHouse, without: [])
                }?.id
            }
            #expect(try await found(.wallaby) == "drv_near")
            #expect(try await found(.wallaroo) == nil)
            let claims = try await parallel(5) { number in
                try await city.store.write(.readCommitted) {
                    try $0.drivers.claim(id: "drv_near", rideId: "rid_\(number)")
                }
            }
            #expect(claims.count { $0 } == 1)
            #expect(try await found(.wallaby) == nil)
        }
    }

    @Test(arguments: cities, CityGrid.Level.allCases)
    func `Within the distance that is certain nobody is outside of the cells`(city: GeoPoint, level: CityGrid.Level) {
        var random = SplitMix64(seed: 9)
        for _ in 0..<2_000 {
            let centre = point(near: city, 0.1, raster: 0.000_001, &random)
            let rings = Int.random(in: 0...8, using: &random)
            let other = point(near: centre, level.degrees * Double(rings + 2), raster: 0.000_001, &random)
            let isInside = CityGrid.cells(around: centre, rings: rings, level).contains(CityGrid.cell(of: other, level))
            // The sphere is a tenth of a millimetre smaller than the constant says.
            let certain = CityGrid.certainDistance(around: centre, rings: rings, level) - 0.001
            if !isInside { #expect(centre.distance(to: other) > certain, "\(centre) to \(other), \(rings) rings") }
        }
    }

    @Test(.enabled(if: !TestDatabase.isPostgres))
    func `Each search goes by its index, and does not look at all kangaroos or rides`() async throws {
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

    @Test(arguments: CityGrid.Level.allCases)
    func `Around a point there are so many different cells, with its own in the middle, also across the date line`(
        level: CityGrid.Level
    ) {
        for city in Self.cities {
            for rings in 0...3 {
                let cells = CityGrid.cells(around: city, rings: rings, level)
                #expect(cells.count == (2 * rings + 1) * (2 * rings + 1) && Set(cells).count == cells.count)
                #expect(cells[cells.count / 2] == CityGrid.cell(of: city, level))
                #expect(cells.allSatisfy { $0.level == level })
            }
        }
        let west = GeoPoint(latitude: 10, longitude: 180)
        #expect(CityGrid.cell(of: west, level) == CityGrid.cell(of: GeoPoint(latitude: 10, longitude: -180), level))
    }

    @Test func `The reach needs so few rings that a search is cheap, up to 70 degrees of latitude`() {
        for latitude in stride(from: -70.0, through: 70, by: 0.5) {
            let point = GeoPoint(latitude: latitude, longitude: 20)
            let rings = CityGrid.rings(around: point, metres: DriverSearch.reach, .far)
            #expect((3...8).contains(rings))
            #expect(CityGrid.certainDistance(around: point, rings: rings, .far) >= DriverSearch.reach)
        }
    }
}
