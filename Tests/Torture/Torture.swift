import PouchRides
import SeededRandom
import ServerTesting
import Subprocess
import SystemPackage
import ToolArguments

/// Kills servers under load.
@main
struct TortureProgram {
    static func main() async throws {
        var arguments = ToolArguments.read(
            help: """
                usage: torture [ROUNDS [SEED]]
                       torture rides [RIDERS [SEED]]

                Kills servers under load, and compares the books. Runs on SQLite, or on the PostgreSQL server in
                POUCH_TEST_POSTGRES.

                  ROUNDS  how many times (20)
                  RIDERS  how many riders (500)
                  SEED    decides the actions and the kills (a random one)

                Exits with 1 and keeps its files if it finds violations.
                """, words: 0...3)
        let isOfRides = arguments.takeFirst("rides")
        let numbers = ToolArguments.accepting { () throws(ToolArguments.Refusal) in try arguments.numbers(atMost: 2) }
        let seed = numbers.dropFirst().first ?? UInt64.random(in: 1...999_999)
        print("seed \(seed)")
        let executable = FilePath(Bundle.main.bundleURL.appending(path: "pouch-server").path)
        try await AttackOutcome.report { folder, progress in
            if isOfRides {
                return try await RideTorture(
                    executable: executable, riders: max(1, Int(numbers.first ?? 500)), kangaroosOfEachSpecies: 67,
                    kills: 20, seed: seed
                ).run(in: folder, progress: progress)
            }
            return try await Torture(executable: executable, rounds: max(1, Int(numbers.first ?? 20)), seed: seed)
                .run(in: folder, progress: progress)
        }
    }
}

/// Buyers who shop while the servers and the payment provider are killed at random moments and restarted.
struct Torture: Sendable {
    let executable: FilePath
    let rounds: Int
    /// Determines the actions of the buyers and the kills. The machine determines the rest.
    let seed: UInt64

    /// The time limit for the settlement of unfinished work, which takes 30 s; the rest is for a busy machine.
    private static let bound = Duration.seconds(180)
    /// The number of buyers at the same time. If each round added some, they would pile up as soon as kills are more
    /// frequent than purchases, until each waits in vain for its turn between two kills.
    private static let buyers = 128
    /// Fast enough that a kangaroo delivers an order in some seconds.
    private static let citySpeed = 300
    private static let password = "correct horse"

    func run(in folder: URL, progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> AttackOutcome {
        let database = try await TestDatabase(in: folder)
        let stock = ["cap": rounds * 100, "last": rounds * 2]
        try await prepare(database.text, stock, folder)
        return try await Outside.run(in: folder) { outside, receiver in
            try await Attempts.onFleet(
                executable, database, options: ["--city-speed", "\(Self.citySpeed)"] + outside.options, folder: folder
            ) { attempts, connection in
                try await attack(
                    attempts, outside, receiver, Inspection(attempts: attempts, database: connection, stock: stock),
                    progress)
            }
        }
    }

    private func attack(
        _ attempts: Attempts, _ outside: Outside, _ receiver: String, _ inspection: Inspection,
        _ progress: @Sendable (String) -> Void
    ) async throws -> AttackOutcome {
        let start = ContinuousClock.now
        var random = SplitMix64(seed: seed)
        let record = Record()
        let admin = try await admin(attempts, receiver)
        try await withThrowingDiscardingTaskGroup { group in
            var started = 0
            for round in 1...rounds {
                while await started < attempts.counts.values.journeys + Self.buyers {
                    var journey = BuyerJourney(attempts: attempts, admin: admin, record: record, seed: random.next())
                    group.addTask { await journey.run() }
                    started += 1
                }
                try await attempts.untilAnswered(Int.random(in: 1...100, using: &random))
                // Before a kill: each kill of a server that hashes a password counts as a failed attempt.
                _ = try await admin.token(attempts, confirmingAfter: 300)
                try await kill(attempts, &random)
                let violations = await record.violations.count
                progress(
                    "round \(round) of \(rounds), \(await attempts.counts.values.requests) requests, "
                        + "\(violations) violations")
            }
            if try await !inspection.isSettled(before: .now, within: Self.bound) {
                await record.report("unfinished work is not settled \(Self.bound) after the last restart")
            }
        }
        _ = try await inspection.isSettled(before: .distantFuture, within: Self.bound)
        let wrong = try await inspection.violations()
        let kangaroos = CitySettings().kangaroosOfEachSpecies * Species.allCases.count
        let rides = try await RideInspection(database: inspection.database, riderIds: [], kangaroos: kangaroos)
            .violations(acknowledged: [])
        let broken = try await inspection.broken(record.acknowledged)
        let (events, orders) = try await inspection.eventsAndOrders()
        let undelivered = try await outside.violations(events, orders, in: inspection.database, within: Self.bound)
        return AttackOutcome(
            violations: await record.violations + wrong + rides + broken + undelivered,
            summary: summary(await attempts.counts.values, outside, took: ContinuousClock.now - start))
    }

    /// Kills one or several processes and restarts them.
    private func kill(_ attempts: Attempts, _ random: inout SplitMix64) async throws {
        let fleet = attempts.fleet
        var victims: [ServedProgram]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: victims = []
        case 1...2: victims = fleet.shops
        default: victims = [fleet.shops.randomElement(using: &random) ?? fleet.shops[0]]
        }
        let shops = victims.count
        if victims.isEmpty || random.chance(15) { victims.append(fleet.provider) }
        try await Fleet.kill(victims)
        await attempts.counts.killed(shops: shops, providers: victims.count - shops)
    }

    // MARK: The shop
    private func prepare(_ database: String, _ stock: [String: Int], _ folder: URL) async throws {
        var feed = "Handle,Title,Body (HTML),Variant SKU,Variant Inventory Qty,Variant Price\n"
        for (sku, units) in stock { feed += "\(sku),\(sku.capitalized),,\(sku),\(units),10.00\n" }
        let file = folder.appending(path: "feed.csv")
        try Data(feed.utf8).write(to: file)
        try await command(["import", "--format", "shopify-csv", "--database", database, file.path])
        try await command(
            ["admin", "create", "--email", "root@example.com", "--database", database], input: Self.password + "\n")
    }

    private func command(_ arguments: [String], input: String = "") async throws {
        let result = try await Subprocess.run(
            .path(executable), arguments: Arguments(arguments), input: try .text(input),
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard result.terminationStatus.isSuccess else { throw CommandFailed(errors: result.standardError) }
    }

    private struct CommandFailed: Error { let errors: String }

    /// Signs in the administrator, who creates the discount codes and the webhook.
    private func admin(_ attempts: Attempts, _ receiver: String) async throws -> BuyerSession {
        var random = SplitMix64(seed: seed)
        let signIn = try SignInRequest(email: "root@example.com", password: Self.password).json()
        let session = try await attempts.send("POST", "/v1/sessions", body: signIn, random: &random)
            .value(UserSession.self).remoteSession
        let admin = BuyerSession(session, password: Self.password)
        for terms in [
            DiscountTerms(code: "TEN", kind: .percentage, basisPoints: 1000),
            DiscountTerms(code: "FEW", kind: .freeShipping, limit: rounds / 2 + 1, limitPerAccount: 1),
        ] {
            _ = try await attempts.send(
                "POST", "/v1/admin/discounts", body: try terms.json(), as: admin, random: &random)
        }
        let webhook = WebhookInput(url: receiver, types: DeliveryBooks.webhookTypes, description: nil)
        try await attempts.send("POST", "/v1/admin/webhooks", body: try webhook.json(), as: admin, random: &random)
            .expect([201])
        return admin
    }

    private func summary(_ counts: Counts.Values, _ outside: Outside, took: Duration) -> String {
        """
        seed \(seed), \(rounds) rounds in \(took.components.seconds) s on \(Fleet.setup)
        kills: \(counts.shopKills) of a shop, \(counts.providerKills) of the provider
        requests: \(counts.requests), \(counts.unanswered) of them unanswered; journeys: \(counts.journeys)
        orders: \(counts.orders), charges: \(counts.charges), refunds: \(counts.refunds), \
        answers compared with a replay: \(counts.replays)
        \(outside.summary)
        outcomes: \(counts.outcomes)
        """
    }
}
