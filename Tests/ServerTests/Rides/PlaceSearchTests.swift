import PouchDomain
import PouchEntities
import PouchRides
import SeededRandom
import Testing

@Suite("The place search")
struct PlaceSearchTests {
    private static let opera = GeoPoint(latitude: -33.8568, longitude: 151.2153)
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
            ("mrs", "Mrs Macquarie’s Chair"), ("brighton le", "Brighton-Le-Sands"), ("atlantis", nil),
            ("opera atlantis", nil), ("stmary", nil),
        ] as [(String, String?)])
    func `Each word of the text is a prefix of a word in the name, in any order and case`(text: String, name: String?) {
        #expect(inSydney(text).first == name)
    }

    @Test(
        arguments: [
            ("mnaly", "Manly Beach"), ("bonbi", "Bondi Beach"), ("katomba", "Katoomba"), ("taranga zoo", "Taronga Zoo"),
            ("paramata", "Parramatta"), ("wolongong", "Wollongong"), ("woolongon", "Wollongong"),
            ("sydeny oprea", "Sydney Opera House"), ("wnidosr", nil), ("zoe", nil), ("xatoomxa", "Katoomba"),
            ("xatoomxx", nil),
        ] as [(String, String?)])
    func `The place search allows one typo in words of 4 to 7 letters and two in longer words`(
        text: String, name: String?
    ) {
        #expect(inSydney(text, near: Self.opera).contains { $0 == name } == (name != nil))
        if name == nil { #expect(inSydney(text) == []) }
    }

    @Test func `Accents in the text and in names are ignored`() {
        #expect(names("echo") == ["Écho Point"] && names("QUÂY station") == ["Quay Station"])
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

    @Test func `Every place lies within 150 km of Sydney's centre`() {
        let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)
        #expect(places.count >= 70)
        for place in places { #expect(place.location.distance(to: centre) < 150_000, "\(place.name)") }
    }

    @Test func `Places are sorted by name without duplicates`() {
        for (place, next) in zip(places, places.dropFirst()) { #expect(place.name < next.name) }
    }

    @Test func `Places are at least 30 m apart`() {
        for (index, place) in places.enumerated() {
            for other in places[..<index] {
                #expect(place.location.distance(to: other.location) > 30, "\(place.name), \(other.name)")
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
    func `Distances between landmarks match known distances to 10 %`(
        name: String, other: String, kilometres: Double
    ) throws {
        let distance = try location(name).distance(to: location(other)) / 1000
        #expect(abs(distance / kilometres - 1) < 0.1)
    }

    private func location(_ name: String) throws -> GeoPoint {
        try #require(places.first { $0.name == name }).location
    }
}
