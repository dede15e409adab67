import Foundation
import Hummingbird
import HummingbirdTesting
import PouchContract
import PouchEntities
import PouchServer
import PouchStorage
import PouchWire
import Testing

@testable import PouchDomain
@testable import PouchImport
@testable import PouchRides

extension TestShop {
    /// Opens a shop whose city has only these kangaroos and is ten times as fast as life, so that a ride ends before
    /// the rider's token expires.
    static func open(
        kangaroos: [DriverRecord], _ products: [FeedProduct] = [], setup: TestingSetup = .router,
        configure: @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (TestShop) async throws -> Void
    ) async throws {
        let configureCity = { (configuration: inout ServerConfiguration) in
            configuration.city = CitySettings(speed: 10, kangaroosOfEachSpecies: 0)
            configure(&configuration)
        }
        try await open(products, setup: setup, configure: configureCity) { shop in
            try await shop.store.write { try $0.drivers.insert(kangaroos) }
            try await body(shop)
        }
    }

    /// Opens a shop with a rider who requested a ride.
    static func riding(
        kangaroos: [DriverRecord] = .calm(), setup: TestingSetup = .router,
        configure: @escaping (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (_ shop: TestShop, _ rider: Caller, _ ride: Ride) async throws -> Void
    ) async throws {
        try await open(kangaroos: kangaroos, setup: setup, configure: configure) { shop in
            let rider = try await shop.customer()
            try await body(shop, rider, try await rider.requestRide().good())
        }
    }

    /// Opens a shop with a customer whose order waits for its kangaroo.
    static func delivering(
        kangaroos: [DriverRecord] = .calm(), setup: TestingSetup = .router,
        _ body: @escaping @Sendable (
            _ shop: TestShop, _ customer: Caller, _ order: Order, _ rideId: String
        ) async throws -> Void
    ) async throws {
        try await open(kangaroos: kangaroos, .usual, setup: setup) { shop in
            let customer = try await shop.customer()
            let order = try await customer.orderByKangaroo()
            try await body(shop, customer, order, try #require(order.rideId))
        }
    }

    /// Advances the clock, and then the city.
    func advanceCity(by seconds: TimeInterval = 0) async throws {
        clock.advance(by: seconds)
        _ = try await City(rideEnvironment).advance()
    }

    func record(ofRide id: String) async throws -> RideRecord {
        try #require(try await store.read { try $0.rides.ride(id: id) })
    }

    /// Advances the clock just far enough for the ride to reach the status.
    func go(_ id: String, to status: RideStatus, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<100 {
            let ride = try await record(ofRide: id)
            if ride.status == status { return }
            guard let due = ride.dueAt else { break }
            clock.advance(by: max(0, due.timeIntervalSince(clock.now)))
            _ = try await City(rideEnvironment).advance()
        }
        Issue.record("The ride does not become \(status).", sourceLocation: sourceLocation)
        throw DeadlinePassed()
    }

    /// Advances the clock until all rides have ended, and expects that none is stored and no kangaroo is busy.
    func expectNoRides(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        while let due = try await City(rideEnvironment).advance() {
            clock.advance(by: max(0.001, due.timeIntervalSince(clock.now)))
        }
        #expect(try await rows("SELECT 1 FROM rides").isEmpty, sourceLocation: sourceLocation)
        #expect(try await busyKangaroos() == [], sourceLocation: sourceLocation)
    }

    /// The ids of kangaroos that have a ride.
    func busyKangaroos() async throws -> [String] {
        try await rows("SELECT id FROM drivers WHERE ride_id IS NOT NULL ORDER BY id").map { try $0.text(0) }
    }
}

extension [DriverRecord] {
    /// Calm kangaroos of each species, which accept every ride and never give up. The first is a kilometre from the
    /// opera house, and the others further away.
    static func calm(_ count: Int = 1) -> [DriverRecord] {
        Species.allCases.flatMap { species in
            (0..<count).map { number in
                DriverRecord.calm(
                    "drv_\(species.rawValue)_\(number)", name: "Skip \(number)", species,
                    at: GeoPoint.operaHouse.north(1_000 + Double(number)))
            }
        }
    }
}

extension Caller {
    func quotes(_ waypoints: RideWaypoints = .sample) async throws -> [FareQuote] {
        try await call(Contract.quoteRide, QuoteRequest(waypoints: waypoints)).good().items
    }

    func requestRide(
        _ waypoints: RideWaypoints = .sample, option: String = "wallaby", quote: String? = nil,
        key: String? = Caller.key()
    ) async throws -> Answered<Ride> {
        try await call(
            Contract.requestRide, RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quote),
            headers: key.map { [HeaderName.idempotencyKey: $0] } ?? [:])
    }

    func ride(_ id: String) async throws -> Answered<Ride> { try await call(Contract.ride, path: ["id": id]) }

    func cancelRide(_ id: String, key: String? = nil) async throws -> Answered<Ride> {
        try await call(
            Contract.cancelRide, path: ["id": id], headers: key.map { [HeaderName.idempotencyKey: $0] } ?? [:])
    }

    func receipt(_ id: String) async throws -> Answered<RideReceipt> {
        try await call(Contract.rideReceipt, path: ["id": id])
    }
}

extension RideWaypoints {
    /// A trip of about 7 km through Sydney.
    static let sample = RideWaypoints(pickupLocation: .operaHouse, dropoffLocation: .bondi)
}

extension Caller {
    /// Buys a cap with delivery by kangaroo.
    func orderByKangaroo(
        to address: Address = .atBondi, card: String = "tok_ok", discount: String? = nil
    ) async throws -> Order {
        try await add("cap").good()
        if let discount { try await self.discount(discount).good() }
        try await ship("kangaroo", to: address).good()
        return try await checkout(card).good()
    }

    /// Chooses another delivery for an order.
    func deliver(_ order: Order, by method: String, ifMatch: String? = nil) async throws -> Answered<Order> {
        try await call(
            Contract.changeDelivery, DeliveryRequest(methodId: method), path: ["id": order.id],
            headers: ifMatch.map { [HeaderName.ifMatch: $0] } ?? [:])
    }
}

extension GeoPoint {
    /// The location of the standard shop.
    static let shop = GeoPoint(latitude: -33.8861, longitude: 151.2111)
}

extension Address {
    static let atBondi = at(.bondi)

    static func at(_ location: GeoPoint) -> Address {
        Address(
            name: "Ada", line1: "Campbell Parade 1", city: "Bondi Beach", region: "NSW", postalCode: "2026",
            country: "AU", location: location)
    }
}
