import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchRides
import PouchServer
import PouchStorage
import PouchWire
import SeededRandom
import ServerTesting
import SystemPackage

/// Riders who all ride at the same time while servers are killed at random moments and restarted.
///
/// In the end the books are inspected.
public struct RideTorture: Sendable {
    /// The program pouch-server.
    public let executable: FilePath
    public let riders: Int
    public let kangaroosOfEachSpecies: Int
    public let kills: Int
    /// Determines the actions of the riders and the kills. The machine determines the rest.
    public let seed: UInt64

    public init(executable: FilePath, riders: Int, kangaroosOfEachSpecies: Int, kills: Int, seed: UInt64) {
        self.executable = executable
        self.riders = riders
        self.kangaroosOfEachSpecies = kangaroosOfEachSpecies
        self.kills = kills
        self.seed = seed
    }

    /// Fast enough that a ride takes some seconds.
    private static let citySpeed = 150

    private struct Rider: Sendable {
        let id: String
        let session: BuyerSession
    }

    /// - Parameter progress: Receives a line after each kill.
    public func run(
        in folder: URL, progress: @Sendable (String) -> Void = { _ in }
    ) async throws -> AttackOutcome {
        let database = try await TestDatabase(in: folder)
        let riders = try await signUp(ServerConfiguration(database: database.address))
        let options = ["--city-speed", "\(Self.citySpeed)", "--kangaroos", "\(kangaroosOfEachSpecies)"]
        return try await Attempts.onFleet(executable, database, options: options, folder: folder) {
            attempts, connection in
            let inspection = RideInspection(
                database: connection, riderIds: riders.map(\.id),
                kangaroos: kangaroosOfEachSpecies * Species.allCases.count)
            return try await attack(attempts, riders, inspection, progress)
        }
    }

    /// Creates the accounts without the server, since hashing their passwords there would take longer than all rides.
    private func signUp(_ configuration: ServerConfiguration) async throws -> [Rider] {
        let (database, _, environment) = try await configuration.open()
        let accounts = try await AccountService.administration(
            environment, passwordCost: .init(log2N: 4, blockSize: 8, parallelism: 1))
        var riders: [Rider] = []
        for number in 0..<self.riders {
            let session = try await accounts.signUp(
                name: "Ada", email: "rider-\(number)@example.com", mobileNumber: nil, password: "correct horse",
                network: "")
            riders.append(Rider(id: session.profile?.id ?? "", session: BuyerSession(session.remoteSession)))
        }
        try await database.close()
        return riders
    }

    private func attack(
        _ attempts: Attempts, _ riders: [Rider], _ inspection: RideInspection, _ progress: @Sendable (String) -> Void
    ) async throws -> AttackOutcome {
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
                try await Fleet.kill(victims)
                await attempts.counts.killed(shops: victims.count)
                for violation in try await inspection.violations() { await record.report(violation) }
                progress(
                    "kill \(kill) of \(kills), \(await attempts.counts.values.requests) requests, "
                        + "\(await record.violations.count) violations")
            }
        }
        let acknowledged = await record.acknowledged
        let rideIds = acknowledged.filter { $0.answer.status == 201 }.compactMap { try? $0.answer.value(Ride.self).id }
        let wrong = try await inspection.violations(acknowledged: rideIds)
        let broken = try await Inspection(attempts: attempts, database: inspection.database, stock: [:])
            .broken(acknowledged)
        return AttackOutcome(
            violations: await record.violations + wrong + broken,
            summary: summary(await attempts.counts.values, rides: rideIds.count, took: ContinuousClock.now - start))
    }

    private func summary(_ counts: Counts.Values, rides: Int, took: Duration) -> String {
        """
        seed \(seed), \(riders) riders and \(kangaroosOfEachSpecies * Species.allCases.count) kangaroos in \
        \(took.components.seconds) s on \(Fleet.setup)
        kills: \(counts.shopKills); requests: \(counts.requests), \(counts.unanswered) of them unanswered
        rides: \(rides); answers compared with a replay: \(counts.replays)
        ends: \(counts.outcomes)
        """
    }
}

/// The actions of one rider.
///
/// The rider requests a ride, with or without a quote, polls it until it ends, or cancels it on the way, and requests
/// another one if no kangaroo came. Every change is sent with its idempotency key until it is answered.
struct RideJourney: Sendable {
    let attempts: Attempts
    let record: Record
    let rider: BuyerSession
    var random: SplitMix64

    /// The time limit of a ride, which takes some seconds while the servers run.
    private static let patience = Duration.seconds(400)
    private static let tries = 3

    /// Runs the journey and adds its answers and violations to the record.
    mutating func run() async {
        do {
            for _ in 0..<Self.tries {
                let end = try await ride()
                await attempts.counts.add(outcome: end.rawValue)
                if end == .completed { break }
            }
        } catch { await record.report("a journey failed: \(error)") }
        await attempts.counts.add(\.journeys)
    }

    /// - Returns: The final status.
    private mutating func ride() async throws -> RideStatus {
        let waypoints = trip()
        let option = Species.allCases.randomElement(using: &random)?.rawValue ?? Species.wallaby.rawValue
        let quote = random.chance(50) ? try await quote(waypoints, option) : nil
        let requested: Ride = try await keyed(
            "/v1/rides", RideRequest(waypoints: waypoints, rideOptionID: option, quoteID: quote?.id), [201]
        ).value()
        guard quote == nil || quote?.fare == requested.fare else {
            throw Attempts.Unexpected(text: "ride \(requested.id) has another fare than its quote")
        }
        let polls = random.chance(25) ? Int.random(in: 0...8, using: &random) : Int.max
        let end = ContinuousClock.now + Self.patience
        for poll in 0... {
            if poll == polls {
                try await keyed("/v1/rides/\(requested.id)/cancel", nil as RideRequest?, [200], or: [.notCancellable])
            }
            let now: Ride = try await attempts.send("GET", "/v1/rides/\(requested.id)", as: rider, random: &random)
                .value()
            if now.status.isFinal { return now.status }
            guard ContinuousClock.now < end else { break }
            try await Task.sleep(for: .milliseconds(Int.random(in: 200...800, using: &random)))
        }
        throw Attempts.Unexpected(text: "ride \(requested.id) did not end")
    }

    private mutating func quote(_ waypoints: RideWaypoints, _ option: String) async throws -> FareQuote? {
        let body = try QuoteRequest(waypoints: waypoints).json()
        return try await attempts.send("POST", "/v1/ride/quotes", body: body, as: rider, random: &random)
            .value(Page<FareQuote>.self).items.first { $0.rideOptionID == option }
    }

    /// Returns a trip of some kilometres that starts in the centre of the city.
    private mutating func trip() -> RideWaypoints {
        let start = point(near: GeoPoint(latitude: -33.88, longitude: 151.19), within: 0.06)
        return RideWaypoints(pickupLocation: start, dropoffLocation: point(near: start, within: 0.03))
    }

    private mutating func point(near centre: GeoPoint, within degrees: Double) -> GeoPoint {
        GeoPoint(
            latitude: centre.latitude + Double.random(in: -degrees...degrees, using: &random),
            longitude: centre.longitude + Double.random(in: -degrees...degrees, using: &random))
    }

    /// Sends a request with a new idempotency key and records the answer if the server stores it for the key.
    @discardableResult
    private mutating func keyed(
        _ path: String, _ body: (some JSONCodable)?, _ statuses: Set<Int>, or codes: Set<ProblemCode> = []
    ) async throws -> Attempts.Answer {
        let sent = try await attempts.keyed("POST", path, body, as: rider, random: &random)
        try sent.answer.expect(statuses, or: codes)
        if statuses.contains(sent.answer.status) { await record.add([sent]) }
        return sent.answer
    }
}
