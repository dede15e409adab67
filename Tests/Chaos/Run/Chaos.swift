import AsyncHTTPClient
import Foundation

/// Seeded shoppers at one shop, each over a bad network of its own.
public struct Chaos: Sendable {
    public struct Outcome: Sendable {
        public let violations: [String]
        /// Counts, for people.
        public let summary: String
    }

    public let seeds: Range<UInt64>
    /// How many of a hundred requests do not simply arrive.
    public let harm: Int

    public init(seeds: Range<UInt64>, harm: Int = 25) {
        self.seeds = seeds
        self.harm = harm
    }

    private static let atOnce = 16

    /// - Parameters:
    ///   - folder: where files may be put.
    ///   - progress: told the shoppers that are through.
    public func run(in folder: URL, progress: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> Outcome {
        let start = ContinuousClock.now
        return try await ChaosShop.running(in: folder) { shop in
            var reports: [ShopperReport] = []
            try await withClient { client in
                try await withThrowingTaskGroup(of: ShopperReport.self) { group in
                    var waiting = seeds.makeIterator()
                    func startNext() {
                        guard let seed = waiting.next() else { return }
                        group.addTask {
                            try await Shopper.shop(
                                seed: seed, at: shop.port, harm: harm, client: client, in: folder)
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
            return Outcome(
                violations: reports.flatMap(\.violations) + (try await shop.violations(orders: orders)),
                summary: summary(reports, took: ContinuousClock.now - start))
        }
    }

    private func withClient(_ body: (HTTPClient) async throws -> Void) async throws {
        let client = HTTPClient()
        let result: Result<Void, any Error>
        do { result = .success(try await body(client)) } catch { result = .failure(error) }
        try await client.shutdown()
        try result.get()
    }

    private func summary(_ reports: [ShopperReport], took duration: Duration) -> String {
        let fates = reports.reduce(into: [Fate: Int]()) { $0.merge($1.fates, uniquingKeysWith: +) }
        let sum = { (count: KeyPath<ShopperReport, Int>) in reports.reduce(0) { $0 + $1[keyPath: count] } }
        let harms = Fate.allCases.map { "\(fates[$0] ?? 0) \($0.rawValue)" }.joined(separator: ", ")
        return """
            \(reports.count) shoppers, seeds \(seeds.lowerBound) to \(seeds.upperBound - 1), \(duration.components.seconds) s
            \(fates.values.reduce(0, +)) requests: \(harms)
            \(reports.reduce(0) { $0 + $1.orders.count }) orders, \(sum(\.restarts)) restarts, \
            \(sum(\.openOutcomes)) calls that were made again, \(sum(\.told)) edits that were told as refused
            """
    }
}
