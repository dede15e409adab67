import Foundation
import Hummingbird
import HummingbirdTesting
import PouchEntities
import PouchServer
import PouchStorage
import Testing

@testable import PouchDomain
@testable import PouchImport
@testable import PouchRides

extension TestShop {
    /// A shop whose city has no other kangaroos than these, and is ten times as fast as life, so that a ride is over before
    /// its rider's token is.
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

    func record(ofRide id: String) async throws -> RideRecord {
        try #require(try await store.read { try $0.rides.ride(id: id) })
    }

    /// Lets so much time pass that the ride comes into the status, and no more.
    func go(
        _ id: String, to status: RideStatus, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<100 {
            let ride = try await record(ofRide: id)
            if ride.status == status { return }
            guard let due = ride.dueAt else { break }
            clock.advance(by: max(0, due.timeIntervalSince(clock.now)))
            _ = try await City(rideEnvironment).advance()
        }
        Issue.record("The ride never is \(status).", sourceLocation: sourceLocation)
        throw DeadlinePassed()
    }

    /// Lets time pass until all rides have ended: none of them is kept, and no kangaroo has one.
    func empty(sourceLocation: SourceLocation = #_sourceLocation) async throws {
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
    /// Calm ones, which take every ride and keep to it, of each species, the first a kilometre from the opera house and the
    /// others further away.
    static func calm(_ count: Int = 1) -> [DriverRecord] {
        Species.allCases.flatMap { species in
            (0..<count).map { number in
                DriverRecord(
                    id: "drv_\(species.rawValue)_\(number)", name: "Skip \(number)", species: species, temper: .calm,
                    rating: 47, location: GeoPoint.operaHouse.north(1_000 + Double(number)))
            }
        }
    }
}
