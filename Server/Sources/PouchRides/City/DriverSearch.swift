import Foundation
import PouchDomain
import PouchEntities

/// Searches the grid for the driver nearest to a point.
public struct DriverSearch {
    /// The maximum air distance of a driver from the pick-up, in metres.
    public static let reach = 20_000.0

    private let drivers: any DriverRepository

    public init(_ drivers: any DriverRepository) {
        self.drivers = drivers
    }

    /// The nearest waiting driver within reach, except the refused ones; of drivers at the same distance, the one whose
    /// id comes first.
    public func nearest(_ species: Species, to point: GeoPoint, without refusals: [String]) throws -> DriverRecord? {
        var nearest: (driver: DriverRecord, distance: Double)?
        for (level, rings) in Self.steps(around: point) {
            nearest = try drivers.waiting(species, in: CityGrid.cells(around: point, rings: rings, level))
                .filter { !refusals.contains($0.id) }
                .map { ($0, $0.location.distance(to: point)) }
                .filter { $0.distance <= Self.reach }
                .min { ($0.distance, $0.driver.id) < ($1.distance, $1.driver.id) }
            let certain = CityGrid.certainDistance(around: point, rings: rings, level)
            if let nearest, nearest.distance <= certain { break }
        }
        return nearest?.driver
    }

    /// Assigns a ride to the nearest free driver. If another transaction takes that driver, tries the next nearest.
    ///
    /// - Parameter refusals: the ids of drivers to skip.
    public func claimNearest(
        _ species: Species, to point: GeoPoint, without refusals: [String], rideId: String
    ) throws -> DriverRecord? {
        var left = refusals
        while let driver = try nearest(species, to: point, without: left) {
            if try drivers.claim(id: driver.id, rideId: rideId) { return driver }
            left.append(driver.id)
        }
        return nil
    }

    /// Whether any driver within reach could be asked, now or after its ride.
    func mayCome(_ species: Species, to point: GeoPoint, without refusals: [String]) throws -> Bool {
        guard let (level, rings) = Self.steps(around: point).last else { return false }
        let cells = CityGrid.cells(around: point, rings: rings, level)
        func isOne(_ driver: DriverRecord) -> Bool {
            !refusals.contains(driver.id) && driver.location.distance(to: point) <= Self.reach
        }
        return try drivers.busy(species, in: cells).contains(where: isOne)
            || drivers.waiting(species, in: cells).contains(where: isOne)
    }

    private static func steps(around point: GeoPoint) -> [(CityGrid.Level, rings: Int)] {
        [(.near, 1), (.far, 1), (.far, CityGrid.rings(around: point, metres: reach, .far))]
    }
}
