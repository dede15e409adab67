import PouchRides
import ServerTesting
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Ride options and places over HTTP", .timeLimit(.minutes(5)), .inShop())
struct RideOfferTests {
    private static let ashfield = GeoPoint(latitude: -33.8886, longitude: 151.1243)

    private let shop = TestShop.current

    private func places(_ query: String) async throws -> Answered<Page<NamedLocation>> {
        try await shop.anyone.call(Contract.ridePlaces, query: query)
    }

    @Test func `Ride options are sorted by size, with images that are served`() async throws {
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

    @Test(arguments: [0.0, 59_900, 60_100, 100_000])
    func `Ride options depend on the pick-up, and quotes match them`(metres: Double) async throws {
        let rider = try await shop.customer()
        let pickup = GeoPoint(latitude: -33.8688, longitude: 151.2093).north(metres)
        let query = "latitude=\(pickup.latitude)&longitude=\(pickup.longitude)"
        let options = try await shop.anyone.call(Contract.rideOptions, query: query).good().items
        let quotes = try await rider.quotes(.init(pickupLocation: pickup, dropoffLocation: .bondi))
        #expect(quotes.map(\.rideOptionID) == options.map(\.id) && options.count == (metres < 60_000 ? 3 : 0))
    }

    @Test(arguments: [
        "latitude=1", "longitude=1", "latitude=91&longitude=1", "latitude=1&longitude=181", "latitude=&longitude=",
        "latitude=nan&longitude=1", "latitude=1&longitude=inf", "latitude=x&longitude=1",
    ])
    func `An invalid point in a query is refused`(query: String) async throws {
        try await shop.anyone.call(Contract.rideOptions, query: query).problem(.invalidQuery)
        try await places(query).problem(.invalidQuery)
    }

    @Test func `Places are listed in pages by distance, and a cursor is valid only for its search`() async throws {
        let all = try await shop.anyone.pages(Contract.ridePlaces, limit: 25)
        #expect(all.joined().count == Gazetteer.sydney.count && Set(all.joined()) == Set(Gazetteer.sydney))
        let near = "latitude=\(Self.ashfield.latitude)&longitude=\(Self.ashfield.longitude)"
        let nearest = try await places(near + "&limit=5").good()
        let distances = nearest.items.map { $0.location.distance(to: Self.ashfield) }
        #expect(distances == distances.sorted() && distances[0] < 3_000)
        #expect(try await places("q=opera&" + near).good().items.first?.name == "Sydney Opera House")
        let beaches = try await shop.anyone.pages(Contract.ridePlaces, limit: 2, query: "q=beach")
        #expect(beaches.count > 1 && Set(beaches.joined().map(\.name)).count == beaches.joined().count)
        let cursor = try #require(nearest.nextCursor)
        try await places(near + "&cursor=\(cursor)").good()
        for query in ["", "q=beach", "q=beach&" + near, "latitude=-33.9&longitude=151.2"] {
            try await places(query + "&cursor=\(cursor)").problem(.invalidCursor)
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
        let drawings = Species.allCases.flatMap { size in [false, true].map { RideDrawing.svg(size, selected: $0) } }
        #expect(Set(drawings).count == 6)
        let scales = try drawings.map { drawing in
            try Double(#require(drawing.firstMatch(of: /scale\(([0-9.]+)\)/)).1)
        }
        #expect(scales[0] == scales[1] && scales[2] == scales[3] && scales[4] == scales[5])
        let (small, middle, large) = (try #require(scales[0]), try #require(scales[2]), try #require(scales[4]))
        #expect(small * 1.2 < middle && middle * 1.2 < large)
    }
}

@Suite("Fare quotes", .timeLimit(.minutes(5)), .inCity())
struct FareQuoteTests {
    private let shop = TestShop.current
    private let rider: Caller
    private let quotes: [FareQuote]

    init() async throws {
        rider = try await shop.customer()
        quotes = try await rider.quotes()
        try await shop.add(.calm())
    }

    @Test func `Each option has a quote, more expensive and faster by size, valid for five minutes`() async throws {
        #expect(quotes.map(\.rideOptionID) == ["wallaby", "wallaroo", "kangaroo"])
        #expect(quotes.allSatisfy { $0.id.hasPrefix("quo_") && $0.fare.currency == .eur })
        #expect(quotes[0].fare.amount < quotes[1].fare.amount && quotes[1].fare.amount < quotes[2].fare.amount)
        #expect(quotes[0].etaSeconds > quotes[1].etaSeconds && quotes[1].etaSeconds > quotes[2].etaSeconds)
        let metres = GeoPoint.operaHouse.distance(to: .bondi) * 1.3
        #expect(quotes.allSatisfy { abs(Double($0.distanceMetres) - metres) <= 1 })
        #expect(quotes.allSatisfy { $0.expiresAt == shop.clock.now.addingTimeInterval(300) })
    }

    @Test func `A quote can be used repeatedly until it expires`() async throws {
        shop.clock.advance(by: 299.5)
        for _ in 0..<2 {
            let ride = try await rider.requestRide(option: "wallaroo", quote: quotes[1].id).good()
            #expect(ride.fare == quotes[1].fare)
            try await rider.cancelRide(ride.id).good()
        }
        shop.clock.advance(by: 0.5)
        try await rider.requestRide(option: "wallaroo", quote: quotes[1].id).problem(.quoteExpired)
        #expect(try await rider.requestRide(option: "wallaroo").good().fare == quotes[1].fare)
    }

    @Test func `The fare is the quoted one, also after a change of the tariff`() async throws {
        // A quote of another tariff for one cent, signed with the shop's key.
        let key = try #require(try await shop.store.read { try $0.keys.keys().first })
        let digests = shop.environment.digests
        let text = quotes[0].id.dropFirst(4).split(separator: ".").prefix(3).map(String.init)
        let cheap = [text[0], "1", "4321"].joined(separator: ".")
        let trip = ["-33.8568", "151.2153", "-33.8915", "151.2767"]
        let bound = ([cheap, "EUR", try rider.accountId, "wallaby"] + trip).joined(separator: "\n")
        let secret = digests.hmacSHA256(Data("fare quote".utf8), key: key.secret)
        let code = digests.hmacSHA256(Data(bound.utf8), key: secret).hex
        let ride = try await rider.requestRide(quote: "quo_\(cheap).\(code)").good()
        #expect(ride.fare == Money(1, .eur))
        try await shop.go(ride.id, to: .completed)
        let receipt = try await rider.receipt(ride.id).good()
        #expect(receipt.fare == Money(1, .eur) && receipt.distanceMetres == 4_321)
    }

    @Test func `A quote is valid only for its customer, trip and option`() async throws {
        let id = quotes[0].id
        try await shop.customer("bob@example.com").requestRide(quote: id).problem(.quoteMismatch)
        for option in ["wallaroo", "kangaroo"] {
            try await rider.requestRide(option: option, quote: id).problem(.quoteMismatch)
        }
        let near = GeoPoint(latitude: -33.8915, longitude: 151.27670001)
        for waypoints in [
            RideWaypoints(pickupLocation: .bondi, dropoffLocation: .operaHouse),
            RideWaypoints(pickupLocation: .operaHouse, dropoffLocation: near),
            RideWaypoints(pickupLocation: near, dropoffLocation: .bondi),
        ] { try await rider.requestRide(waypoints, quote: id).problem(.quoteMismatch) }
        #expect(try await rider.rides() == [])
        try await rider.requestRide(quote: id).good()
    }

    @Test func `A quote with any changed part, and a text that is no quote, is refused`() async throws {
        let parts = quotes[0].id.dropFirst(4).split(separator: ".").map(String.init)
        try #require(parts.count == 4)
        let (expiry, fare, metres, code) = (parts[0], parts[1], parts[2], parts[3])
        let cheaper = "\(expiry).1.\(metres).\(code)"
        let changed = [
            "9999999999999.\(fare).\(metres).\(code)", cheaper, "\(expiry).\(fare).1.\(code)",
            "\(expiry).\(fare).\(metres).\(String(repeating: "0", count: 64))",
            // Other spellings of the same numbers and codes.
            "\(expiry).+\(fare).\(metres).\(code)", "\(expiry).0\(fare).\(metres).\(code)",
            "\(expiry).\(fare).\(metres).\(code.dropLast(2))", "\(expiry).\(fare).\(metres).\(code)00",
            "\(expiry).\(fare).\(metres).", "\(expiry).\(fare).\(metres).\(code).x",
            // The boundary between two numbers is signed too.
            "\(expiry)\(fare.prefix(1)).\(fare.dropFirst()).\(metres).\(code)",
        ]
        let others = [
            "", "quo_", "quo_...", "quo_1.2.3.4", "rid_01", "quo_\u{1F998}.1.1.00", "quo_-1.-1.-1.",
            "quo_99999999999999999999.1.1.00", String(repeating: "9", count: 10_000),
        ]
        for id in changed.map({ "quo_" + $0 }) + others {
            try await rider.requestRide(quote: id).problem(.quoteMismatch)
        }
        // A changed quote is refused as such also after its expiry.
        shop.clock.advance(by: 301)
        try await rider.requestRide(quote: "quo_" + cheaper).problem(.quoteMismatch)
    }

    @Test func `Every server accepts a quote of another, also after a new signing key`() async throws {
        let early = quotes[0]
        try await shop.addKey()
        try await shop.another { newer in
            let there = newer.caller(try #require(rider.session))
            // Signed with a key that the older server has not loaded.
            let late = try await there.quotes()[0]
            #expect(late.id != early.id)
            for (caller, quote) in [(rider, late), (there, early), (there, late), (rider, early)] {
                try await caller.cancelRide(caller.requestRide(quote: quote.id).good().id).good()
            }
        }
    }

    @Test(arguments: ["JPY", "JOD"])
    func `Quotes are in the currency of the shop`(code: String) async throws {
        let currency = try #require(Currency(code: code))
        try await TestShop.open([], configure: { $0.currency = currency }) { shop in
            let quotes = try await shop.customer().quotes()
            #expect(quotes.allSatisfy { $0.fare.currency == currency })
            #expect(Set(quotes.map(\.fare.amount)).count == 3)
        }
    }
}
