import Foundation
import PouchDomain
import PouchEntities
import PouchRides
import SeededRandom
import Testing

@Suite("Distances on the Earth")
struct DistanceTests {
    private static let sydney = GeoPoint(latitude: -33.8688, longitude: 151.2093)

    @Test(arguments: [
        ("Melbourne", -37.8136, 144.9631, 713.9), ("Perth", -31.9505, 115.8605, 3_297.5),
        ("Auckland", -36.8485, 174.7633, 2_160.5), ("Tokyo", 35.6762, 139.6503, 7_792.2),
        ("London", 51.5074, -0.1278, 16_989.3),
    ])
    func `Distances from Sydney match those on the WGS 84 ellipsoid to 0.6 %`(
        city: String, latitude: Double, longitude: Double, kilometres: Double
    ) {
        let distance = Self.sydney.distance(to: GeoPoint(latitude: latitude, longitude: longitude))
        #expect(abs(distance / 1000 / kilometres - 1) < 0.006, "\(city)")
    }

    @Test func `Known arcs from a decimetre to half the circumference have their lengths`() {
        let radius = 6_371_008.8
        let equator = GeoPoint(latitude: 0, longitude: 20)
        #expect(abs(equator.distance(to: GeoPoint(latitude: 90, longitude: -77)) - radius * .pi / 2) < 1e-3)
        #expect(abs(equator.distance(to: GeoPoint(latitude: 0, longitude: -160)) - radius * .pi) < 1e-3)
        let close = GeoPoint(latitude: Self.sydney.latitude + 1e-6, longitude: Self.sydney.longitude)
        #expect(abs(Self.sydney.distance(to: close) - 0.111195) < 1e-6)
        let before = GeoPoint(latitude: 0, longitude: 179.999)
        #expect(abs(before.distance(to: GeoPoint(latitude: 0, longitude: -179.999)) - 222.39) < 0.01)
    }

    @Test func `Distances are symmetric, 0 to the same and half the circumference to the opposite point, and add up`() {
        var points = RandomPoints(seed: 11)
        for _ in 0..<2_000 {
            let (a, b, c) = (points.anywhere(), points.anywhere(), points.anywhere())
            #expect(a.distance(to: b) == b.distance(to: a) && a.distance(to: a) == 0)
            #expect(a.distance(to: c) <= a.distance(to: b) + b.distance(to: c) + 1e-3)
            let opposite = GeoPoint(latitude: -a.latitude, longitude: a.longitude + (a.longitude > 0 ? -180 : 180))
            #expect(abs(a.distance(to: opposite) - 6_371_008.8 * .pi) < 1)
        }
    }

    @Test func `A route starts and ends at its points, with its middle about as far from both`() {
        var points = RandomPoints(seed: 13)
        for _ in 0..<2_000 {
            let (start, end) = points.pair(apart: 200_000, latitude: 40)
            #expect(start.point(towards: end, fraction: 0) == start)
            #expect(start.point(towards: end, fraction: 1).distance(to: end) < 1e-3)
            let middle = start.point(towards: end, fraction: 0.5)
            #expect(abs(start.distance(to: middle) - middle.distance(to: end)) < 1_000)
            #expect(abs(end.point(towards: start, fraction: 0.5).distance(to: middle)) < 1e-3)
        }
        let end = GeoPoint(latitude: -33.7971, longitude: 151.2880)
        #expect(Self.sydney.point(towards: end, fraction: 1) == end)
    }

    @Test(arguments: [(200_000, 40, 750), (100_000, 40, 190), (200_000, 60, 1_600)] as [(Double, Double, Double)])
    func `Points of a route are close to the great circle, within the documented error`(
        apart: Double, latitude: Double, error: Double
    ) {
        var points = RandomPoints(seed: 14)
        for _ in 0..<10_000 {
            let (start, end) = points.pair(apart: apart, latitude: latitude)
            let fraction = Double.random(in: 0...1, using: &points.random)
            let onGreatCircle = GreatCircle(from: start, to: end).point(at: fraction)
            #expect(start.point(towards: end, fraction: fraction).distance(to: onGreatCircle) < error)
        }
    }

    @Test(arguments: [(179.9, -179.9), (-179.9, 179.9), (180, -179.8), (-180, 179.8)])
    func `A route across the date line takes the short way and stays within the bounds`(from: Double, to: Double) {
        let start = GeoPoint(latitude: 10, longitude: from)
        let end = GeoPoint(latitude: 10, longitude: to)
        for step in 0...10 {
            let fraction = Double(step) / 10
            let point = start.point(towards: end, fraction: fraction)
            #expect((-180...180).contains(point.longitude))
            #expect(abs(start.distance(to: point) - start.distance(to: end) * fraction) < 1)
        }
    }
}

/// A great circle computed with vectors, to compare with the formulas of the server.
struct GreatCircle {
    private static let radius = 6_371_008.8

    /// The start and the initial direction, as unit vectors from the centre of the Earth.
    private let start: SIMD3<Double>
    private let direction: SIMD3<Double>
    /// The length in metres.
    private let length: Double

    init(from start: GeoPoint, to end: GeoPoint) {
        let (a, b) = (Self.vector(start), Self.vector(end))
        let across = b - a * (a * b).sum()
        let sine = (across * across).sum().squareRoot()
        self.start = a
        direction = sine > 0 ? across / sine : across
        length = Self.radius * atan2(sine, (a * b).sum())
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

/// Random points on the Earth from a seed.
struct RandomPoints {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A point, uniformly distributed over the sphere.
    mutating func anywhere() -> GeoPoint {
        GeoPoint(
            latitude: asin(Double.random(in: -1...1, using: &random)) * 180 / .pi,
            longitude: Double.random(in: -180...180, using: &random))
    }

    /// Two points at most `metres` apart, and no further from the equator than `limit` degrees.
    mutating func pair(apart metres: Double, latitude limit: Double) -> (GeoPoint, GeoPoint) {
        while true {
            let start = GeoPoint(
                latitude: Double.random(in: -limit...limit, using: &random),
                longitude: Double.random(in: -180...180, using: &random))
            let length = metres * Double.random(in: 0.01...1, using: &random).squareRoot()
            let end = GreatCircle(from: start, to: anywhere()).point(after: length)
            if abs(end.latitude) <= limit { return (start, end) }
        }
    }
}
