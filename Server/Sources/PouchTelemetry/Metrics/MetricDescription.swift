import Foundation
import Synchronization

/// The text that explains a metric, and the bounds of its buckets if it is a histogram.
public struct MetricDescription: Sendable {
    public let name: String
    public let help: String
    /// nil for the default bounds.
    public let bounds: [Double]?

    public init(_ name: String, _ help: String, bounds: [Double]? = nil) {
        self.name = name
        self.help = help
        self.bounds = bounds
    }

    static let unreadMetrics = MetricDescription(
        "pouch_metrics_unread_total", "Reads of metrics that failed or took too long, so that a scrape was incomplete.")
}

extension [Double] {
    /// From a tenth of a millisecond, the time of a ready page, to 10 s.
    static let seconds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    static let numbers: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]
}

/// Reads metrics with a time limit. Concurrent scrapes share one read.
final class MetricObserver: Sendable {
    private static let limit = Duration.seconds(2)

    private let body: @Sendable () async throws -> [MetricFamily]
    private let reading = Mutex<Task<[MetricFamily]?, Never>?>(nil)

    init(_ body: @escaping @Sendable () async throws -> [MetricFamily]) {
        self.body = body
    }

    /// - Returns: nil for a read that failed or takes too long.
    func read() async -> [MetricFamily]? {
        let task = reading.withLock { reading in
            let task =
                reading
                ?? Task {
                    defer { self.reading.withLock { $0 = nil } }
                    return try? await self.body()
                }
            reading = task
            return task
        }
        return try? await withTimeLimit(Self.limit) { await task.value }
    }
}
