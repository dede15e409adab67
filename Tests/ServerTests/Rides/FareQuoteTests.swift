import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchStorage
import PouchWire
import Testing

@Suite("Fare quotes", .timeLimit(.minutes(5)))
struct FareQuoteTests {
    private func quoted(
        kangaroos: [DriverRecord] = .calm(),
        _ body: @escaping @Sendable (TestShop, Caller, [FareQuote]) async throws -> Void
    ) async throws {
        try await TestShop.open(kangaroos: kangaroos) { shop in
            let rider = try await shop.customer()
            try await body(shop, rider, try await rider.quotes())
        }
    }

    @Test func `There is a quote for each option, more expensive and faster by size, valid for five minutes`()
        async throws
    {
        try await quoted { shop, _, quotes in
            #expect(quotes.map(\.rideOptionID) == ["wallaby", "wallaroo", "kangaroo"])
            #expect(quotes.allSatisfy { $0.id.hasPrefix("quo_") && $0.fare.currency == .eur })
            #expect(quotes[0].fare.amount < quotes[1].fare.amount && quotes[1].fare.amount < quotes[2].fare.amount)
            #expect(quotes[0].etaSeconds > quotes[1].etaSeconds && quotes[1].etaSeconds > quotes[2].etaSeconds)
            let metres = GeoPoint.operaHouse.distance(to: .bondi) * 1.3
            #expect(quotes.allSatisfy { abs(Double($0.distanceMetres) - metres) <= 1 })
            #expect(quotes.allSatisfy { $0.expiresAt == shop.clock.now.addingTimeInterval(300) })
        }
    }

    @Test func `A quote can be used repeatedly until it expires`() async throws {
        try await quoted { shop, rider, quotes in
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
    }

    @Test func `The fare is the quoted one, also after a change of the tariff`() async throws {
        try await quoted { shop, rider, quotes in
            // A quote of another tariff for one cent, signed with the shop's key.
            let key = try #require(try await shop.store.read { try $0.keys.keys().first })
            let digests = shop.environment.digests
            let text = quotes[0].id.dropFirst(4).split(separator: ".").prefix(3).map(String.init)
            let cheap = [text[0], "1", "4321"].joined(separator: ".")
            let bound = [
                cheap, "EUR", try #require(rider.session?.profile?.id), "wallaby", "-33.8568", "151.2153", "-33.8915",
                "151.2767",
            ].joined(separator: "\n")
            let secret = digests.hmacSHA256(Data("fare quote".utf8), key: key.secret)
            let code = digests.hmacSHA256(Data(bound.utf8), key: secret).map { String(format: "%02x", $0) }.joined()
            let ride = try await rider.requestRide(quote: "quo_\(cheap).\(code)").good()
            #expect(ride.fare == Money(1, .eur))
            try await shop.go(ride.id, to: .completed)
            let receipt = try await rider.receipt(ride.id).good()
            #expect(receipt.fare == Money(1, .eur) && receipt.distanceMetres == 4_321)
        }
    }

    @Test func `A quote is valid only for its customer, trip and option`() async throws {
        try await quoted { shop, rider, quotes in
            let id = quotes[0].id
            let other = try await shop.customer("bob@example.com")
            try await other.requestRide(quote: id).problem(.quoteMismatch)
            for option in ["wallaroo", "kangaroo"] {
                try await rider.requestRide(option: option, quote: id).problem(.quoteMismatch)
            }
            let near = GeoPoint(latitude: -33.8915, longitude: 151.27670001)
            for waypoints in [
                RideWaypoints(pickupLocation: .bondi, dropoffLocation: .operaHouse),
                RideWaypoints(pickupLocation: .operaHouse, dropoffLocation: near),
                RideWaypoints(pickupLocation: near, dropoffLocation: .bondi),
            ] {
                try await rider.requestRide(waypoints, quote: id).problem(.quoteMismatch)
            }
            #expect(try await rider.call(Contract.rides).good().items == [])
            try await rider.requestRide(quote: id).good()
        }
    }

    @Test func `A quote with any changed part is refused`() async throws {
        try await quoted { shop, rider, quotes in
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
            for text in changed { try await rider.requestRide(quote: "quo_" + text).problem(.quoteMismatch) }
            // A changed quote is refused as such also after its expiry.
            shop.clock.advance(by: 301)
            try await rider.requestRide(quote: "quo_" + cheaper).problem(.quoteMismatch)
        }
    }

    @Test(arguments: [
        "", "quo_", "quo_...", "quo_1.2.3.4", "rid_01", "quo_\u{1F998}.1.1.00", "quo_-1.-1.-1.",
        "quo_99999999999999999999.1.1.00", String(repeating: "9", count: 10_000),
    ])
    func `An invalid quote is refused`(id: String) async throws {
        try await quoted { _, rider, _ in try await rider.requestRide(quote: id).problem(.quoteMismatch) }
    }

    @Test func `Every server accepts a quote of another, also after a new signing key`() async throws {
        try await TestShop.open(kangaroos: .calm()) { older in
            let rider = try await older.customer()
            let early = try await rider.quotes()[0]
            let key = SigningKey(
                id: "0123456789abcdef", secret: Data(repeating: 7, count: 32), createdAt: older.clock.now + 1)
            try await older.store.write { try $0.keys.insert(key) }
            try await older.another { newer in
                let there = newer.caller(try #require(rider.session))
                // Signed with a key that the older server has not loaded.
                let late = try await there.quotes()[0]
                #expect(late.id != early.id)
                for (caller, quote) in [(rider, late), (there, early), (there, late), (rider, early)] {
                    let ride = try await caller.requestRide(quote: quote.id).good()
                    try await caller.cancelRide(ride.id).good()
                }
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
