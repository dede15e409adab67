import Foundation
import PouchEntities
import SeededRandom

/// Points on the earth that a seed determines.
struct RandomPoints {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// As likely on one part of the earth as on another of the same size.
    mutating func anywhere() -> GeoPoint {
        GeoPoint(
            latitude: asin(Double.random(in: -1...1, using: &random)) * 180 / .pi,
            longitude: Double.random(in: -180...180, using: &random))
    }

    /// Two points at most so many metres apart and no further from the equator than a latitude.
    mutating func pair(apart metres: Double, latitude limit: Double) -> (GeoPoint, GeoPoint) {
        while true {
            let start = GeoPoint(
                latitude: Double.random(in: -limit...limit, using: &random),
                longitude: Double.random(in: -180...180, using: &random))
            let bearing = Double.random(in: 0..<2 * .pi, using: &random)
            let length = metres * Double.random(in: 0.01...1, using: &random).squareRoot()
            let end = GreatCircle(from: start, bearing: bearing).point(after: length)
            if abs(end.latitude) <= limit { return (start, end) }
        }
    }
}
