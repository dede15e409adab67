import AsyncHTTPClient
import Foundation
import ServerTesting
import ToolArguments

/// Runs shoppers over bad networks.
@main
struct ChaosProgram {
    static func main() async throws {
        let arguments = ToolArguments.read(
            help: """
                usage: chaos [SHOPPERS [SEED]]

                Runs shoppers over bad networks, and compares the books. Runs on SQLite, or on the PostgreSQL server in
                POUCH_TEST_POSTGRES.

                  SHOPPERS  how many (1000)
                  SEED      the seed of the first (a random one)

                Exits with 1 and keeps its files if it finds violations.
                """, words: 0...2)
        let numbers = ToolArguments.accepting { () throws(ToolArguments.Refusal) in try arguments.numbers() }
        let first = numbers.dropFirst().first ?? UInt64.random(in: 1...999_999)
        let shoppers = max(1, numbers.first ?? 1000)
        try await AttackOutcome.report { folder, progress in
            try await Chaos(seeds: first..<first + shoppers).run(in: folder) { done in
                progress("\(done) of \(shoppers) shoppers")
            }
        }
    }
}

/// Shoppers of one shop, each with a seed and a bad network of its own.
public struct Chaos: Sendable {
    public let seeds: Range<UInt64>
    /// The percentage of requests that are harmed.
    public let harm: Int

    public init(seeds: Range<UInt64>, harm: Int = 25) {
        self.seeds = seeds
        self.harm = harm
    }

    private static let atOnce = 16

    /// - Parameter progress: Receives the number of shoppers that have finished.
    public func run(in folder: URL, progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws
        -> AttackOutcome
    {
        let start = ContinuousClock.now
        return try await ChaosShop.running(in: folder) { shop in
            var reports: [ShopperReport] = []
            let client = HTTPClient()
            try await withCleanup({ try await client.shutdown() }) {
                try await withThrowingTaskGroup(of: ShopperReport.self) { group in
                    var waiting = seeds.makeIterator()
                    func startNext() {
                        guard let seed = waiting.next() else { return }
                        group.addTask {
                            try await Shopper.shop(seed: seed, at: shop.port, harm: harm, client: client, in: folder)
                        }
                    }
                    for _ in 0..<Self.atOnce { startNext() }
                    while let report = try await group.next() {
                        reports.append(report)
                        progress(reports.count)
                        startNext()
                    }
                }
            }
            let orders = reports.reduce(0) { $0 + $1.orders.count }
            return AttackOutcome(
                violations: reports.flatMap(\.violations) + (try await shop.violations(orders: orders)),
                summary: summary(reports, took: ContinuousClock.now - start))
        }
    }

    private func summary(_ reports: [ShopperReport], took duration: Duration) -> String {
        let fates = reports.reduce(into: [Fate: Int]()) { $0.merge($1.fates, uniquingKeysWith: +) }
        let sum = { (count: KeyPath<ShopperReport, Int>) in reports.reduce(0) { $0 + $1[keyPath: count] } }
        let harms = Fate.allCases.map { "\(fates[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        return """
            \(reports.count) shoppers, seeds \(seeds.lowerBound) to \(seeds.upperBound - 1), \(duration.components.seconds) s
            \(fates.values.reduce(0, +)) requests: \(harms)
            \(reports.reduce(0) { $0 + $1.orders.count }) orders, \(sum(\.restarts)) restarts, \
            \(sum(\.openOutcomes)) calls made again, \(sum(\.refusedEdits)) edits reported as refused
            """
    }
}
