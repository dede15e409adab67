import Foundation
import PouchDomain
import PouchEntities
import PouchRides
import PouchServer
import PouchStorage
import SeededRandom
import SystemPackage
import TestDatabase

/// Riders who want to ride at once while servers are killed at random moments and started again; then the books are looked
/// into.
public struct RideTorture: Sendable {
    /// pouch-server.
    public let executable: FilePath
    public let riders: Int
    public let kangaroosOfEachSpecies: Int
    public let kills: Int
    /// Determines what riders do and who is killed when; the machine decides the rest.
    public let seed: UInt64

    public init(executable: FilePath, riders: Int, kangaroosOfEachSpecies: Int, kills: Int, seed: UInt64) {
        self.executable = executable
        self.riders = riders
        self.kangaroosOfEachSpecies = kangaroosOfEachSpecies
        self.kills = kills
        self.seed = seed
    }

    /// So fast a ride takes some seconds.
    private static let citySpeed = 150

    private struct Rider: Sendable {
        let id: String
        let session: BuyerSession
    }

    /// - Parameters:
    ///   - folder: where files may be put.
    ///   - progress: told after each kill.
    public func run(
        in folder: URL, progress: @Sendable (String) -> Void = { _ in }
    ) async throws -> Torture.Outcome {
        let database = try await TestDatabase(in: folder)
        let riders = try await signUp(ServerConfiguration(database: database.address))
        let fleet = try await Fleet.start(
            executable, database: database.text, shops: TestDatabase.isPostgres ? 3 : 1,
            options: ["--city-speed", "\(Self.citySpeed)", "--kangaroos", "\(kangaroosOfEachSpecies)"], folder: folder)
        let connection = try database.address.connect()
        let inspection = RideInspection(
            database: connection, riderIds: riders.map(\.id),
            kangaroos: kangaroosOfEachSpecies * Species.allCases.count)
        let result: Result<Torture.Outcome, any Error>
        do {
            result = .success(
                try await Attempts.over(fleet) { try await torment($0, riders, inspection, progress) })
        } catch { result = .failure(error) }
        try await connection.close()
        try await fleet.end()
        return try result.get()
    }

    /// Makes the accounts without the server, for which their passwords would be more work than all rides.
    private func signUp(_ configuration: ServerConfiguration) async throws -> [Rider] {
        let (database, _, environment) = try await configuration.open()
        let accounts = try await AccountService.administration(
            environment, passwordCost: .init(log2N: 4, blockSize: 8, parallelism: 1))
        var riders: [Rider] = []
        for number in 0..<self.riders {
            let session = try await accounts.signUp(
                name: "Ada", email: "rider-\(number)@example.com", mobileNumber: nil, password: "correct horse")
            riders.append(Rider(id: session.profile?.id ?? "", session: BuyerSession(session.remoteSession)))
        }
        try await database.close()
        return riders
    }

    private func torment(
        _ attempts: Attempts, _ riders: [Rider], _ inspection: RideInspection, _ progress: @Sendable (String) -> Void
    ) async throws -> Torture.Outcome {
        let start = ContinuousClock.now
        var random = SplitMix64(seed: seed)
        let record = Record()
        try await withThrowingDiscardingTaskGroup { group in
            for rider in riders {
                var journey = RideJourney(
                    attempts: attempts, record: record, rider: rider.session, random: SplitMix64(seed: random.next()))
                group.addTask { await journey.run() }
            }
            for kill in 1...kills {
                try await attempts.untilAnswered(Int.random(in: 1...2 * riders.count, using: &random))
                let victims =
                    random.chance(30)
                    ? attempts.fleet.shops : attempts.fleet.shops.randomElement(using: &random).map { [$0] } ?? []
                await attempts.counts.add(\.shopKills, victims.count)
                try await Fleet.kill(victims)
                for violation in try await inspection.violations() { await record.report(violation) }
                progress(
                    "kill \(kill) of \(kills), \(await attempts.counts.values.requests) requests, "
                        + "\(await record.violations.count) violations")
            }
        }
        let acknowledged = await record.acknowledged
        let told = acknowledged.filter { $0.answer.status == 201 }.compactMap { try? $0.answer.value(Ride.self).id }
        let wrong = try await inspection.violations(told: told)
        let broken = try await Inspection(attempts: attempts, database: inspection.database, stock: [:])
            .broken(acknowledged)
        return Torture.Outcome(
            violations: await record.violations + wrong + broken,
            summary: summary(await attempts.counts.values, rides: told.count, took: ContinuousClock.now - start))
    }

    private func summary(_ counts: Counts.Values, rides: Int, took: Duration) -> String {
        let outcomes = counts.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return """
            seed \(seed), \(riders) riders and \(kangaroosOfEachSpecies * Species.allCases.count) kangaroos in \
            \(took.components.seconds) s on \(TestDatabase.isPostgres ? "PostgreSQL, 3 servers" : "SQLite, 1 server")
            kills: \(counts.shopKills); requests: \(counts.requests), of which \(counts.unanswered) broke off
            rides: \(rides); answers compared with their replay: \(counts.replays)
            ends: \(outcomes.joined(separator: ", "))
            """
    }
}
