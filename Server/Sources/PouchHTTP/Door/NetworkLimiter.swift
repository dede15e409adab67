import Foundation
import PouchDomain
import Synchronization

/// Counts the requests of each network against a rate, as a token bucket. It knows the requests to this process only.
///
///     let limiter = NetworkLimiter(.init(perSecond: 10, burst: 100), time: SystemTime())
///     try limiter.take(from: client.network)
public final class NetworkLimiter: Sendable {
    public struct Rate: Sendable, Equatable {
        /// The requests that are possible without a pause; at least 1.
        public let burst: Double
        /// The requests that become possible again in each second; above 0.
        public let perSecond: Double

        public init(perSecond: Double, burst: Double) {
            self.perSecond = perSecond
            self.burst = burst
        }
    }

    /// More networks than this are forgotten, those with the least use first.
    private static let networks = 100_000

    private struct Bucket {
        /// The requests that count at `time`; 0 for a network that may use its whole burst.
        var used: Double
        var time: Date
    }

    private let rate: Rate
    private let time: any TimeSource
    private let buckets = Mutex<[String: Bucket]>([:])

    public init(_ rate: Rate, time: any TimeSource) {
        self.rate = rate
        self.time = time
    }

    /// - Throws: `DomainError.tooManyRequests` if the network has used its burst.
    public func check(_ network: String) throws(DomainError) {
        let used = buckets.withLock { self.used(by: network, &$0) }
        guard used + 1 > rate.burst else { return }
        throw .tooManyRequests(retryAfterSeconds: max(1, Int(((used + 1 - rate.burst) / rate.perSecond).rounded(.up))))
    }

    /// Counts one request; the network may exceed its burst by it.
    public func count(_ network: String) {
        buckets.withLock { buckets in
            if buckets.count >= Self.networks, buckets[network] == nil { forget(&buckets) }
            buckets[network] = Bucket(used: self.used(by: network, &buckets) + 1, time: time.now)
        }
    }

    /// Checks and counts one request.
    ///
    /// - Throws: `DomainError.tooManyRequests`; the request is not counted then.
    public func take(from network: String) throws(DomainError) {
        try check(network)
        count(network)
    }

    /// Brings the bucket of a network up to now. If the clock was set back, the bucket goes on from there.
    private func used(by network: String, _ buckets: inout [String: Bucket]) -> Double {
        guard var bucket = buckets[network] else { return 0 }
        let now = time.now
        bucket.used -= max(0, now.timeIntervalSince(bucket.time)) * rate.perSecond
        bucket.time = now
        buckets[network] = bucket.used > 0 ? bucket : nil
        return max(0, bucket.used)
    }

    /// Makes room, at the cost of an occasional long step.
    private func forget(_ buckets: inout [String: Bucket]) {
        for network in Array(buckets.keys) { _ = used(by: network, &buckets) }
        guard buckets.count > Self.networks / 2 else { return }
        let used = buckets.values.map(\.used).sorted()
        let median = used[used.count / 2]
        buckets = buckets.filter { $0.value.used > median }
    }
}
