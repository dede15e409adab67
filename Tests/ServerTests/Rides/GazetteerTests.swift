import PouchDomain
import PouchEntities
import PouchRides
import Testing

@Suite("Gazetteer of Sydney")
struct GazetteerTests {
    private let places = Gazetteer.sydney

    @Test func `Every place lies within 150 km of Sydney's centre`() {
        let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)
        #expect(places.count >= 70)
        for place in places { #expect(place.location.distance(to: centre) < 150_000, "\(place.name)") }
    }

    @Test func `Places are sorted by name, and none stands twice`() {
        for (place, next) in zip(places, places.dropFirst()) { #expect(place.name < next.name) }
    }

    @Test func `No two places are the same spot`() {
        for (index, place) in places.enumerated() {
            for other in places[..<index] {
                #expect(place.location.distance(to: other.location) > 30, "\(place.name), \(other.name)")
            }
        }
    }

    @Test(
        arguments: [
            ("Sydney Opera House", "Taronga Zoo", 2.8), ("Mosman", "Watsons Bay", 4.0),
            ("Central Station", "Sydney Airport Domestic", 6.0), ("Circular Quay", "Manly Beach", 10.1),
            ("Bondi Beach", "Manly Beach", 10.4), ("Olympic Park", "Castle Hill", 14.0),
            ("La Perouse", "Circular Quay", 14.4), ("Central Station", "Parramatta", 20.0),
            ("Liverpool", "Chatswood", 27.4), ("Palm Beach", "Coogee Beach", 35.6), ("Penrith", "Campbelltown", 36.5),
            ("Hornsby", "Cronulla", 39.5), ("Central Station", "Katoomba", 85.1), ("Gosford", "Wollongong", 119.0),
            ("Kiama", "Lithgow", 147.0),
        ])
    func `Landmarks are as far apart as they are known to be, to 10 %`(
        name: String, other: String, kilometres: Double
    ) throws {
        let distance = try location(name).distance(to: location(other)) / 1000
        #expect(abs(distance / kilometres - 1) < 0.1)
    }

    private func location(_ name: String) throws -> GeoPoint {
        try #require(places.first { $0.name == name }).location
    }
}
