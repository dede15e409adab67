import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchWire
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Ride options and places over HTTP", .timeLimit(.minutes(5)))
struct RideOfferTests {
    private static let ashfield = GeoPoint(latitude: -33.8886, longitude: 151.1243)

    @Test func `Ride options are sorted by size, with images that are served`() async throws {
        try await TestShop.open { shop in
            let options = try await shop.anyone.call(Contract.rideOptions).good().items
            #expect(options.map(\.id) == ["wallaby", "wallaroo", "kangaroo"])
            #expect(options.map(\.name) == ["Wallaby", "Wallaroo", "Kangaroo"])
            #expect(options.map(\.capacity) == options.map(\.capacity).sorted())
            #expect(options.map(\.maxWeightGrams) == options.map(\.maxWeightGrams).sorted())
            var drawings: Set<Data> = []
            for path in options.flatMap({ [$0.images.normal, $0.images.selected] }) {
                let answer = try await shop.anyone.send("GET", path)
                #expect(answer.status == 200 && answer.header("Content-Type") == "image/svg+xml")
                #expect(answer.etag != nil && answer.text.contains("</svg>"))
                drawings.insert(answer.body)
            }
            #expect(drawings.count == 6)
            let pages = try await shop.anyone.pages(Contract.rideOptions, limit: 2)
            #expect(pages.map(\.count) == [2, 1] && pages.joined().elementsEqual(options))
        }
    }

    @Test(arguments: [0.0, 59_900, 60_100, 100_000])
    func `Ride options depend on the pick-up, and quotes match them`(metres: Double) async throws {
        try await TestShop.open { shop in
            let rider = try await shop.customer()
            let pickup = GeoPoint(latitude: -33.8688, longitude: 151.2093).north(metres)
            let query = "latitude=\(pickup.latitude)&longitude=\(pickup.longitude)"
            let options = try await shop.anyone.call(Contract.rideOptions, query: query).good().items
            let quotes = try await rider.quotes(.init(pickupLocation: pickup, dropoffLocation: .bondi))
            #expect(quotes.map(\.rideOptionID) == options.map(\.id) && options.count == (metres < 60_000 ? 3 : 0))
        }
    }

    @Test(arguments: [
        "latitude=1", "longitude=1", "latitude=91&longitude=1", "latitude=1&longitude=181", "latitude=&longitude=",
        "latitude=nan&longitude=1", "latitude=1&longitude=inf", "latitude=x&longitude=1",
    ])
    func `An invalid point in a query is refused`(query: String) async throws {
        try await TestShop.open { shop in
            try await shop.anyone.call(Contract.rideOptions, query: query).problem(.invalidQuery)
            try await shop.anyone.call(Contract.ridePlaces, query: query).problem(.invalidQuery)
        }
    }

    @Test func `Places are listed in pages by distance, and a cursor is valid only for its search`() async throws {
        try await TestShop.open { shop in
            let all = try await shop.anyone.pages(Contract.ridePlaces, limit: 25)
            #expect(all.joined().count == Gazetteer.sydney.count && Set(all.joined()) == Set(Gazetteer.sydney))
            let near = "latitude=\(Self.ashfield.latitude)&longitude=\(Self.ashfield.longitude)"
            let nearest = try await shop.anyone.call(Contract.ridePlaces, query: near + "&limit=5").good()
            let distances = nearest.items.map { $0.location.distance(to: Self.ashfield) }
            #expect(distances == distances.sorted() && distances[0] < 3_000)
            let found = try await shop.anyone.call(Contract.ridePlaces, query: "q=opera&" + near).good()
            #expect(found.items.first?.name == "Sydney Opera House")
            let beaches = try await shop.anyone.pages(Contract.ridePlaces, limit: 2, query: "q=beach")
            #expect(beaches.count > 1 && Set(beaches.joined().map(\.name)).count == beaches.joined().count)
            let cursor = try #require(nearest.nextCursor)
            try await shop.anyone.call(Contract.ridePlaces, query: near + "&cursor=\(cursor)").good()
            for query in ["", "q=beach", "q=beach&" + near, "latitude=-33.9&longitude=151.2"] {
                try await shop.anyone.call(Contract.ridePlaces, query: query + "&cursor=\(cursor)")
                    .problem(.invalidCursor)
            }
        }
    }
}

@Suite("Images of ride options")
struct RideDrawingTests {
    @Test(arguments: Species.allCases, [false, true])
    func `An image is a small SVG document of 96×96`(size: Species, selected: Bool) throws {
        let drawing = RideDrawing.svg(size, selected: selected)
        #expect(drawing.utf8.count < 2_048 && drawing.contains(#"viewBox="0 0 96 96""#))
        let root = try #require(XMLDocument(data: Data(drawing.utf8)).rootElement())
        #expect(root.name == "svg" && root.uri == "http://www.w3.org/2000/svg")
    }

    @Test func `All images differ, and larger animals are drawn larger`() throws {
        let drawings = Species.allCases.flatMap { size in
            [false, true].map { RideDrawing.svg(size, selected: $0) }
        }
        #expect(Set(drawings).count == 6)
        let scales = try drawings.map { drawing in
            try Double(#require(drawing.firstMatch(of: /scale\(([0-9.]+)\)/)).1)
        }
        #expect(scales[0] == scales[1] && scales[2] == scales[3] && scales[4] == scales[5])
        let (small, middle, large) = (try #require(scales[0]), try #require(scales[2]), try #require(scales[4]))
        #expect(small * 1.2 < middle && middle * 1.2 < large)
    }
}
