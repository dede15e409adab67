import PouchRides
import SeededRandom
import ServerTesting
import Testing

@Suite("The place search")
struct PlaceSearchTests {
    private static let katoomba = GeoPoint(latitude: -33.7117, longitude: 150.3109)

    /// Places at one to four kilometres from the origin.
    private let search = PlaceSearch([
        .sample("Wharf Road", 4), .sample("Écho Point", 3), .sample("Quay Station", 2), .sample("quays", 1),
    ])

    private func names(_ text: String?, near point: GeoPoint? = nil) -> [String] {
        search.places(matching: text, near: point).map(\.name)
    }

    private func inSydney(_ text: String?, near point: GeoPoint? = nil) -> [String] {
        PlaceSearch(Gazetteer.sydney).places(matching: text, near: point).map(\.name)
    }

    @Test(arguments: [nil, "", " \t\n"])
    func `Without a text all places are listed, by name or by distance`(text: String?) {
        #expect(names(text) == ["Écho Point", "Quay Station", "quays", "Wharf Road"])
        #expect(names(text, near: .origin) == ["quays", "Quay Station", "Écho Point", "Wharf Road"])
        #expect(Array(inSydney(text, near: Self.katoomba).prefix(3)) == ["Katoomba", "Leura", "Scenic World"])
    }

    @Test func `Without a point a name that starts with the text comes before one that contains it`() {
        #expect(inSydney("town").first == "Town Hall" && names("quay") == ["Quay Station", "quays"])
        #expect(Set(names("QUÂY")) == ["Quay Station", "quays"])
    }

    @Test(arguments: ["&", "' - ’", "…?"])
    func `A search text without a word finds no place`(text: String) {
        #expect(names(text, near: .origin) == [])
    }

    @Test(
        arguments: [
            ("taronga", "Taronga Zoo"), ("tar", "Taronga Zoo"), ("zoo", "Taronga Zoo"), ("ZOO tar", "Taronga Zoo"),
            ("opera hou", "Sydney Opera House"), ("wollongong", "Wollongong"), ("WOLLONGONG ", "Wollongong"),
            ("university sydney", "University of Sydney"), ("Parramatta", "Parramatta"), ("wooll", "Woolloomooloo"),
            ("macquaries chair", "Mrs Macquarie’s Chair"), ("macquarie's", "Mrs Macquarie’s Chair"),
            ("mrs", "Mrs Macquarie’s Chair"), ("brighton le", "Brighton-Le-Sands"), ("katomba", "Katoomba"),
            ("sydeny oprea", "Sydney Opera House"), ("atlantis", nil), ("opera atlantis", nil), ("stmary", nil),
        ] as [(String, String?)])
    func `Each word of the text begins a word of the name, in any order and case, with the typos of the shop's search`(
        text: String, name: String?
    ) {
        #expect(inSydney(text).first == name)
    }

    @Test func `Better matches come first at any distance, and equal matches by distance`() {
        #expect(names("quay", near: .origin) == ["Quay Station", "quays"])
        let south = inSydney("beach", near: GeoPoint(latitude: -33.9, longitude: 151.27))
        #expect(south.prefix(2) == ["Tamarama Beach", "Bronte Beach"])
        #expect(inSydney("beach", near: GeoPoint(latitude: -33.6, longitude: 151.32)).first == "Palm Beach")
        let hospitals = inSydney("hospital", near: GeoPoint(latitude: -33.82, longitude: 151.19))
        #expect(hospitals.first == "Royal North Shore Hospital")
    }

    @Test func `Equal matches at equal distance are sorted by name`() {
        var random = SplitMix64(seed: 3)
        let places = ["Bay 10", "Bay 11", "bay 9", "Báy 8", "Bay 8"].map { NamedLocation.sample($0, 1) }
        for _ in 0..<20 {
            let search = PlaceSearch(places.shuffled(using: &random))
            for text in [nil, "bay"] {
                let found = search.places(matching: text, near: .origin).map(\.name)
                #expect(found == ["Bay 10", "Bay 11", "Bay 8", "Báy 8", "bay 9"])
            }
        }
    }

    @Test func `Every result lists each place at most once, sorted by distance among equals`() {
        let search = PlaceSearch(Gazetteer.sydney)
        var points = RandomPoints(seed: 4)
        for _ in 0..<200 {
            let point = points.anywhere()
            let all = search.places(matching: nil, near: point)
            #expect(Set(all) == Set(Gazetteer.sydney) && all.count == Gazetteer.sydney.count)
            let distances = all.map { point.distance(to: $0.location) }
            #expect(distances == distances.sorted())
            #expect(search.places(matching: "beach", near: point) == all.filter { $0.name.contains("Beach") })
        }
    }
}

extension GeoPoint {
    fileprivate static let origin = GeoPoint(latitude: 0, longitude: 0)
}

extension NamedLocation {
    /// A place east of the origin.
    fileprivate static func sample(_ name: String, _ kilometres: Double) -> NamedLocation {
        NamedLocation(name: name, location: GeoPoint(latitude: 0, longitude: kilometres / 111.195))
    }
}

@Suite("The gazetteer of Sydney")
struct GazetteerTests {
    private let places = Gazetteer.sydney

    @Test func `Places lie within 150 km of Sydney's centre and 30 m apart, sorted by name without duplicates`() {
        let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)
        #expect(places.count >= 70)
        for (index, place) in places.enumerated() {
            #expect(place.location.distance(to: centre) < 150_000, "\(place.name)")
            for other in places[..<index] {
                #expect(other.name < place.name && other.location.distance(to: place.location) > 30, "\(place.name)")
            }
        }
    }

    @Test(arguments: [
        ("Sydney Opera House", "Taronga Zoo", 2.8), ("Mosman", "Watsons Bay", 4.0),
        ("Central Station", "Sydney Airport Domestic", 6.0), ("Circular Quay", "Manly Beach", 10.1),
        ("Bondi Beach", "Manly Beach", 10.4), ("Olympic Park", "Castle Hill", 14.0),
        ("La Perouse", "Circular Quay", 14.4), ("Central Station", "Parramatta", 20.0),
        ("Liverpool", "Chatswood", 27.4), ("Palm Beach", "Coogee Beach", 35.6), ("Penrith", "Campbelltown", 36.5),
        ("Hornsby", "Cronulla", 39.5), ("Central Station", "Katoomba", 85.1), ("Gosford", "Wollongong", 119.0),
        ("Kiama", "Lithgow", 147.0),
    ])
    func `Distances of landmarks match known ones to 10 %`(name: String, other: String, kilometres: Double) throws {
        #expect(try abs(location(name).distance(to: location(other)) / 1000 / kilometres - 1) < 0.1)
    }

    private func location(_ name: String) throws -> GeoPoint { try #require(places.first { $0.name == name }).location }
}

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
    private let metres: Double

    init(from start: GeoPoint, to end: GeoPoint) {
        let (a, b) = (Self.vector(start), Self.vector(end))
        let across = b - a * (a * b).sum()
        let sine = (across * across).sum().squareRoot()
        self.start = a
        direction = sine > 0 ? across / sine : across
        metres = Self.radius * atan2(sine, (a * b).sum())
    }

    func point(at fraction: Double) -> GeoPoint { point(after: metres * fraction) }

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

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

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
