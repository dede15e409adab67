import Foundation
import PouchEntities
import PouchStorage
import TestDatabase
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("The fleet of a city", .timeLimit(.minutes(1)))
struct FleetTests {
    /// The fleet of a city that is to have so many kangaroos of each species.
    private func fleet(_ count: Int, in city: TestCity) -> Fleet {
        Fleet(
            RideEnvironment(
                city.environment, store: city.store, city: CitySettings(kangaroosOfEachSpecies: count)))
    }

    private func ids(in city: TestCity) async throws -> [String] {
        try await city.sql("SELECT id FROM drivers ORDER BY id").map { try $0.text(0) }
    }

    @Test func `However many processes establish it at once, each kangaroo and each drawing is there once`()
        async throws
    {
        try await TestCity.open([]) { city in
            try await city.another { other in
                _ = try await parallel(8) { number in
                    try await fleet(30, in: number.isMultiple(of: 2) ? city : other).establish()
                }
                let expected = Species.allCases.flatMap { species in (1...30).map { "drv_\(species.rawValue)_\($0)" } }
                #expect(try await ids(in: city) == expected.sorted())
                #expect(try await city.sql("SELECT 1 FROM assets WHERE path LIKE 'ride/%'").count == 6)
            }
        }
    }

    @Test
    func `Where more are asked for they come, where fewer are asked for nobody goes, and the others stay as they are`()
        async throws
    {
        try await TestCity.open([]) { city in
            try await fleet(2, in: city).establish()
            try await city.store.write {
                _ = try $0.drivers.claim(id: "drv_wallaby_1", rideId: "rid_1")
                try $0.drivers.release(id: "drv_wallaby_1", rideId: "rid_1", at: .bondi)
            }
            for (count, expected) in [(3, 9), (1, 9), (0, 9), (4, 12)] {
                try await fleet(count, in: city).establish()
                #expect(try await ids(in: city).count == expected)
                #expect(try await city.driver("drv_wallaby_1").location == .bondi)
            }
        }
    }

    @Test func `Where all are there nothing is written, and a drawing that has changed is`() async throws {
        try await TestCity.open([]) { city in
            try await fleet(3, in: city).establish()
            let fleet = fleet(2, in: city)
            let again = try await RecordingDatabase.transactions { try await fleet.establish() }
            #expect(again.count == 1 && again[0].allSatisfy { $0.sql.hasPrefix("SELECT") }, "\(again)")
            let path = Species.wallaby.imagePath()
            let digests = "SELECT digest FROM assets ORDER BY path"
            let before = try await city.sql(digests).map { try $0.data(0) }
            try await city.store.write {
                try $0.assets.put(
                    StoredAsset(path: path, mediaType: "image/svg+xml", digest: .init([1]), bytes: .init()))
            }
            try await fleet.establish()
            #expect(try await city.sql(digests).map { try $0.data(0) } == before)
        }
    }

    @Test func `Kangaroos live where there are options, in any number`() {
        for species in Species.allCases {
            for number in 0..<1_000 {
                let driver = Fleet.driver(number, species)
                #expect(CitySettings.covers(driver.location), "\(driver)")
            }
        }
    }
}
