import Foundation
import PouchEntities

extension GeoPoint {
    /// The point at a fraction (0...1) of the way to another point, the shorter way around the earth.
    ///
    /// The way is straight in latitude and longitude. On ways of up to 200 km it differs from the same fraction of the
    /// great circle by less than 750 m between 40° south and 40° north and less than 1.6 km up to 60°, and by a quarter
    /// of that on ways half as long.
    public func point(towards other: GeoPoint, fraction: Double) -> GeoPoint {
        let turns = ((other.longitude - longitude) / 360).rounded()
        let target = other.longitude - turns * 360
        return GeoPoint(
            latitude: latitude * (1 - fraction) + other.latitude * fraction,
            longitude: (longitude * (1 - fraction) + target * fraction).remainder(dividingBy: 360))
    }
}

/// Distances and travel times in the city.
struct CityStreets: Sendable {
    /// The ratio of street length to air distance in real towns.
    private static let detour = 1.3

    private let speed: Double

    init(_ settings: CitySettings) {
        speed = settings.speed
    }

    static func metres(from start: GeoPoint, to end: GeoPoint) -> Int {
        Int((start.distance(to: end) * detour).rounded())
    }

    func travelTime(from start: GeoPoint, to end: GeoPoint, by species: Species) -> TimeInterval {
        seconds(Double(Self.metres(from: start, to: end)) / species.pace)
    }

    /// The time in the city for a number of real seconds.
    func seconds(_ seconds: Double) -> TimeInterval { seconds / speed }
}
