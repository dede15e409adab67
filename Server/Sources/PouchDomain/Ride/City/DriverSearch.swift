import PouchEntities

/// Finds the kangaroos that are nearest to a point, by way of the grid.
public struct DriverSearch {
    /// Metres of air line that a kangaroo comes from at most.
    public static let reach = 20_000.0

    private let drivers: any DriverRepository

    public init(_ drivers: any DriverRepository) {
        self.drivers = drivers
    }

    /// Those that wait in reach, the nearest first. All others that wait are further away than the first.
    ///
    /// - Parameter refusals: the ids of those that are not asked.
    public func nearest(_ species: Species, to point: GeoPoint, without refusals: [String]) throws -> [DriverRecord] {
        var found: [(driver: DriverRecord, distance: Double)] = []
        for (level, rings) in Self.steps(around: point) {
            found = try drivers.waiting(species, in: CityGrid.cells(around: point, rings: rings, level))
                .filter { !refusals.contains($0.id) }
                .map { ($0, $0.location.distance(to: point)) }
                .filter { $0.distance <= Self.reach }
                .sorted { ($0.distance, $0.driver.id) < ($1.distance, $1.driver.id) }
            let certain = CityGrid.certainDistance(around: point, rings: rings, level)
            if let first = found.first, first.distance <= certain { break }
        }
        return found.map(\.driver)
    }

    /// Whether there are any in reach that could be asked, now or when they are free.
    func mayCome(_ species: Species, to point: GeoPoint, without refusals: [String]) throws -> Bool {
        guard let (level, rings) = Self.steps(around: point).last else { return false }
        return try drivers.ids(species, in: CityGrid.cells(around: point, rings: rings, level))
            .contains { !refusals.contains($0) }
    }

    private static func steps(around point: GeoPoint) -> [(CityGrid.Level, rings: Int)] {
        [(.near, 1), (.far, 1), (.far, CityGrid.rings(around: point, metres: reach, .far))]
    }
}
