import Foundation
import PouchEntities

/// A great circle by vectors, to compare with what the server calculates by other formulas.
struct GreatCircle {
    private static let radius = 6_371_008.8

    /// Where it begins, and the direction in which it leaves: unit vectors from the middle of the earth.
    private let start: SIMD3<Double>
    private let direction: SIMD3<Double>
    /// In metres; nought where no end was given.
    private let length: Double

    init(from start: GeoPoint, to end: GeoPoint) {
        let (a, b) = (Self.vector(start), Self.vector(end))
        let across = b - a * (a * b).sum()
        let sine = (across * across).sum().squareRoot()
        self.start = a
        direction = sine > 0 ? across / sine : across
        length = Self.radius * atan2(sine, (a * b).sum())
    }

    /// - Parameter bearing: in radians, clockwise from north.
    init(from start: GeoPoint, bearing: Double) {
        let (latitude, longitude) = (start.latitude * .pi / 180, start.longitude * .pi / 180)
        let north = SIMD3(-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude))
        let east = SIMD3(-sin(longitude), cos(longitude), 0)
        self.start = Self.vector(start)
        direction = north * cos(bearing) + east * sin(bearing)
        length = 0
    }

    func point(at fraction: Double) -> GeoPoint { point(after: length * fraction) }

    func point(after metres: Double) -> GeoPoint {
        let vector = start * cos(metres / Self.radius) + direction * sin(metres / Self.radius)
        return GeoPoint(
            latitude: atan2(vector.z, hypot(vector.x, vector.y)) * 180 / .pi,
            longitude: atan2(vector.y, vector.x) * 180 / .pi)
    }

    private static func vector(_ point: GeoPoint) -> SIMD3<Double> {
        let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
