import PouchDomain
import PouchEntities
import PouchRides
import SeededRandom
import Testing

@Suite("Search of places")
struct PlaceSearchTests {
    private static let opera = GeoPoint(latitude: -33.8568, longitude: 151.2153)
    private static let katoomba = GeoPoint(latitude: -33.7117, longitude: 150.3109)

    /// In the order of their names, one, two, three and four kilometres from the origin.
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
    func `Without a text all places are listed, by name, or the nearest first`(text: String?) {
        #expect(names(text) == ["Écho Point", "Quay Station", "quays", "Wharf Road"])
        #expect(names(text, near: .origin) == ["quays", "Quay Station", "Écho Point", "Wharf Road"])
        #expect(Array(inSydney(text, near: Self.katoomba).prefix(3)) == ["Katoomba", "Leura", "Scenic World"])
    }

    @Test func `Without a point, a name that begins with what is looked for comes before one that has it within`() {
        #expect(inSydney("town").first == "Town Hall")
        #expect(names("quay") == ["Quay Station", "quays"])
    }

    @Test(arguments: ["&", "' - ’", "…?"])
    func `A text without a word finds nothing, as in the catalogue`(text: String) {
        #expect(names(text, near: .origin) == [])
    }

    @Test(
        arguments: [
            ("taronga", "Taronga Zoo"), ("tar", "Taronga Zoo"), ("zoo", "Taronga Zoo"), ("ZOO tar", "Taronga Zoo"),
            ("opera hou", "Sydney Opera House"), ("wollongong", "Wollongong"), ("WOLLONGONG ", "Wollongong"),
            ("university sydney", "University of Sydney"), ("Parramatta", "Parramatta"), ("wooll", "Woolloomooloo"),
            ("stmary", nil),
            ("mrs", "Mrs Macquarie’s Chair"),
            ("macquaries chair", "Mrs Macquarie’s Chair"), ("macquarie's", "Mrs Macquarie’s Chair"),
            ("brighton le", "Brighton-Le-Sands"), ("atlantis", nil), ("opera atlantis", nil),
        ] as [(String, String?)])
    func `Each word of the text begins some word of the name, in any order and case`(text: String, name: String?) {
        #expect(inSydney(text).first == name)
    }

    @Test(
        arguments: [
            ("mnaly", "Manly Beach"), ("bonbi", "Bondi Beach"), ("katomba", "Katoomba"), ("taranga zoo", "Taronga Zoo"),
            ("paramata", "Parramatta"), ("wolongong", "Wollongong"), ("woolongon", "Wollongong"),
            ("sydeny oprea", "Sydney Opera House"), ("wnidosr", nil), ("zoe", nil), ("xatoomxa", "Katoomba"),
            ("xatoomxx", nil),
        ] as [(String, String?)])
    func `One typo is forgiven in a word of 4 letters or more, two from 8 on`(text: String, name: String?) {
        #expect(inSydney(text, near: Self.opera).contains { $0 == name } == (name != nil))
        if name == nil { #expect(inSydney(text) == []) }
    }

    @Test func `Accents count neither in the text nor in the name`() {
        #expect(names("echo") == ["Écho Point"])
        #expect(names("QUÂY station") == ["Quay Station"])
    }

    @Test func `The better match comes first, however far it is; of equal ones the nearer`() {
        #expect(names("quay", near: .origin) == ["Quay Station", "quays"])
        #expect(names("quay") == ["Quay Station", "quays"])
        #expect(
            inSydney("beach", near: GeoPoint(latitude: -33.9, longitude: 151.27)).prefix(2) == [
                "Tamarama Beach", "Bronte Beach",
            ])
        #expect(inSydney("beach", near: GeoPoint(latitude: -33.6, longitude: 151.32)).first == "Palm Beach")
        #expect(
            inSydney("hospital", near: GeoPoint(latitude: -33.82, longitude: 151.19)).first
                == "Royal North Shore Hospital")
    }

    @Test func `Equally good and equally near ones come by name, however they were given`() {
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

    @Test func `Every question has each place at most once, and nearer ones first among equals`() {
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
    /// A place so many kilometres east of the origin.
    fileprivate static func sample(_ name: String, _ kilometres: Double) -> NamedLocation {
        NamedLocation(name: name, location: GeoPoint(latitude: 0, longitude: kilometres / 111.195))
    }
}
