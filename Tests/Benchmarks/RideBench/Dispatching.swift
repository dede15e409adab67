import Benchmarking
import Foundation
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchStorage
import SeededRandom

/// Pick-ups all over a city of 10,000 kangaroos: finding the nearest that is free, and the whole decision, which takes it in
/// a transaction, with many at once.
struct Dispatching {
    private static let kangaroos = 10_000
    private static let rounds = 11
    private static let pickups = 512
    private static let atOnce = 64

    let database: DatabaseAddress

    func run() async throws {
        let database = try await database.open()
        var random = SplitMix64(seed: 7)
        let drivers = (0..<Self.kangaroos).map { number in
            DriverRecord(
                id: "drv_bench_\(number)", name: "Bench", species: Species.allCases[number % Species.allCases.count],
                temper: .calm, rating: 50, location: Self.point(&random))
        }
        try await ShopDatabase(database, currency: .eur).write { try $0.drivers.insert(drivers) }
        if case .postgres = self.database {
            try await database.write { try $0.script("ANALYZE drivers") }
        }
        let pickups = (0..<Self.pickups).map { _ in Self.point(&random) }
        let (grid, scan) = (GridDispatch(database: database), ScanDispatch(database: database))

        let found = (try await grid.find(pickups), try await scan.find(pickups))
        guard found.0 == found.1 else { throw BenchError("they do not find the same") }
        say("\(Self.kangaroos) kangaroos, a third of them of the species; \(Self.rounds) rounds in turn:")
        try await compare("finding", { _ = try await grid.find(pickups) }, { _ = try await scan.find(pickups) })
        try await compare(
            "deciding, \(Self.atOnce) at once",
            { try await Self.all(pickups, grid.decide) }, { try await Self.all(pickups, scan.decide) })
        try await database.close()
    }

    private func compare(
        _ name: String, _ grid: () async throws -> Void, _ scan: () async throws -> Void
    ) async throws {
        var rates: (grid: [Double], scan: [Double]) = ([], [])
        // The first round warms up.
        for round in 0...Self.rounds {
            let pair = (try await Self.rate(grid), try await Self.rate(scan))
            if round > 0 {
                rates.grid.append(pair.0)
                rates.scan.append(pair.1)
            }
        }
        let ratios = zip(rates.grid, rates.scan).map { $0 / $1 }.sorted()
        let figures = "grid \(Int(rates.grid.median))/s, linear scan \(Int(rates.scan.median))/s, ratio "
        say(
            "  " + name.padded(24) + figures
                + String(format: "%.1f (%.1f to %.1f)", ratios.median, ratios[0], ratios[ratios.count - 1]))
    }

    /// Pick-ups a second.
    private static func rate(_ work: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await work()
        return Double(pickups) / (start.duration(to: .now) / .seconds(1))
    }

    private static func all(
        _ pickups: [GeoPoint], _ decide: @escaping @Sendable (GeoPoint, String) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, pickup) in pickups.enumerated() {
                if number >= atOnce { try await group.next() }
                group.addTask { try await decide(pickup, "rid_bench_\(number)") }
            }
            try await group.waitForAll()
        }
    }

    /// Within some 20 km of the middle of Sydney.
    private static func point(_ random: inout SplitMix64) -> GeoPoint {
        func offset(_ random: inout SplitMix64) -> Double { Double(random.next() % 400_000) / 1_000_000 - 0.2 }
        return GeoPoint(latitude: -33.87 + offset(&random), longitude: 151.1 + offset(&random))
    }
}
