import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchWire
import Testing

@Suite("Options and places over HTTP", .timeLimit(.minutes(2)))
struct RideOfferTests {
    private static let ashfield = GeoPoint(latitude: -33.8886, longitude: 151.1243)

    @Test func `Options are listed from the smallest, each with pictures that are served`() async throws {
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

    @Test(
        arguments: [
            ("latitude=-33.87&longitude=151.21", 3), ("latitude=-33.7117&longitude=150.3109", 0),
            ("latitude=52.52&longitude=13.4", 0),
        ])
    func `Options are those of the pick-up`(query: String, count: Int) async throws {
        try await TestShop.open { shop in
            let options = try await shop.anyone.call(Contract.rideOptions, query: query).good().items
            #expect(options.count == count)
        }
    }

    @Test(arguments: [0.0, 59_900, 60_100, 100_000])
    func `Where there is no option there is no quote either`(metres: Double) async throws {
        try await TestShop.open { shop in
            let rider = try await shop.customer()
            let pickup = GeoPoint(latitude: -33.8688, longitude: 151.2093).north(metres)
            let query = "latitude=\(pickup.latitude)&longitude=\(pickup.longitude)"
            let options = try await shop.anyone.call(Contract.rideOptions, query: query).good().items
            let quotes = try await rider.quotes(.init(pickupLocation: pickup, dropoffLocation: .bondi))
            #expect(quotes.map(\.rideOptionID) == options.map(\.id) && options.count == (metres < 60_000 ? 3 : 0))
        }
    }

    @Test(
        arguments: [
            "latitude=1", "longitude=1", "latitude=91&longitude=1", "latitude=1&longitude=181",
            "latitude=x&longitude=1",
            "latitude=nan&longitude=1", "latitude=1&longitude=inf", "latitude=&longitude=",
        ])
    func `A point in a query that is none is refused`(query: String) async throws {
        try await TestShop.open { shop in
            try await shop.anyone.call(Contract.rideOptions, query: query).problem(.invalidQuery)
            try await shop.anyone.call(Contract.ridePlaces, query: query).problem(.invalidQuery)
        }
    }

    @Test func `Places are searched in pages, near ones first, and a cursor is good for its own search alone`()
        async throws
    {
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
