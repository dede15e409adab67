import PouchDomain
import PouchEntities
import PouchRides
import SeededRandom
import Testing

@Suite("Distances on the earth")
struct DistanceTests {
    private static let sydney = GeoPoint(latitude: -33.8688, longitude: 151.2093)

    @Test(
        arguments: [
            ("Melbourne", -37.8136, 144.9631, 713.9), ("Perth", -31.9505, 115.8605, 3_297.5),
            ("Auckland", -36.8485, 174.7633, 2_160.5), ("Tokyo", 35.6762, 139.6503, 7_792.2),
            ("London", 51.5074, -0.1278, 16_989.3),
        ])
    func `From Sydney it is as far to other cities as on WGS 84's ellipsoid, to 0.6 %`(
        city: String, latitude: Double, longitude: Double, kilometres: Double
    ) {
        let distance = Self.sydney.distance(to: GeoPoint(latitude: latitude, longitude: longitude))
        #expect(abs(distance / 1000 / kilometres - 1) < 0.006, "\(city)")
    }

    @Test func `Known arcs have their lengths, from a decimetre to half the way around`() {
        let radius = 6_371_008.8
        let equator = GeoPoint(latitude: 0, longitude: 20)
        #expect(abs(equator.distance(to: GeoPoint(latitude: 90, longitude: -77)) - radius * .pi / 2) < 1e-3)
        #expect(abs(equator.distance(to: GeoPoint(latitude: 0, longitude: -160)) - radius * .pi) < 1e-3)
        let close = GeoPoint(latitude: Self.sydney.latitude + 1e-6, longitude: Self.sydney.longitude)
        #expect(abs(Self.sydney.distance(to: close) - 0.111195) < 1e-6)
        let before = GeoPoint(latitude: 0, longitude: 179.999)
        #expect(abs(before.distance(to: GeoPoint(latitude: 0, longitude: -179.999)) - 222.39) < 0.01)
    }

    @Test func `Distances are symmetric, nought to the point itself, and no detour is shorter`() {
        var points = RandomPoints(seed: 11)
        for _ in 0..<2_000 {
            let (a, b, c) = (points.anywhere(), points.anywhere(), points.anywhere())
            #expect(a.distance(to: b) == b.distance(to: a))
            #expect(a.distance(to: a) == 0)
            #expect(a.distance(to: c) <= a.distance(to: b) + b.distance(to: c) + 1e-3)
        }
    }

    @Test func `On points that lie opposite each other the distance is a number`() {
        var points = RandomPoints(seed: 12)
        for _ in 0..<2_000 {
            let point = points.anywhere()
            let opposite = GeoPoint(
                latitude: -point.latitude, longitude: point.longitude + (point.longitude > 0 ? -180 : 180))
            #expect(abs(point.distance(to: opposite) - 6_371_008.8 * .pi) < 1)
        }
    }

    @Test func `A way begins and ends at its points, and half of it is as far from one as from the other`() {
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
    func `A point of the way lies no further from the great circle's than is said`(
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
    func `Across the date line a way goes the short way around, and stays within the bounds`(
        from: Double, to: Double
    ) {
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
