import Foundation
import PouchDomain
import PouchEntities

extension GeoPoint {
    /// The mean radius of WGS 84's ellipsoid (2a + b) / 3, in metres.
    private static let earthRadius = 6_371_008.8

    /// The length of the great circle between two points, in metres, by the haversine formula (R. W. Sinnott, "Virtues
    /// of the Haversine", Sky & Telescope 68, 1984), which stays exact for points that lie close together.
    ///
    /// The earth is taken as a sphere, which is wrong by less than 0.6 %.
    public func distance(to other: GeoPoint) -> Double {
        let latitudes = Self.haversine(other.latitude - latitude)
        let longitudes = Self.haversine(other.longitude - longitude)
        let parallels = cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180)
        // Rounding may take points on opposite sides of the earth beyond 1.
        return 2 * Self.earthRadius * asin(min(1, sqrt(latitudes + parallels * longitudes)))
    }

    private static func haversine(_ degrees: Double) -> Double {
        let sine = sin(degrees * .pi / 360)
        return sine * sine
    }

    /// The point at a fraction (0...1) of the way to another, the short way around the earth.
    ///
    /// The way is straight in latitude and longitude. Up to 200 km long, it leaves the same fraction of the great circle
    /// by less than 750 m between 40° south and 40° north and less than 1.6 km up to 60°, and a way half as long by a
    /// quarter of that.
    public func point(towards other: GeoPoint, fraction: Double) -> GeoPoint {
        let turns = ((other.longitude - longitude) / 360).rounded()
        let target = other.longitude - turns * 360
        return GeoPoint(
            latitude: latitude * (1 - fraction) + other.latitude * fraction,
            longitude: (longitude * (1 - fraction) + target * fraction).remainder(dividingBy: 360))
    }
}
