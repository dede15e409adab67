import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchWire
import Synchronization

/// The requests that a server accepts, and their origins.
///
///     var policy = RequestPolicy()
///     policy.trustedProxies = TrustedProxies([NetworkRange("10.0.0.0/8")].compactMap(\.self))
///     policy.allowedOrigins = ["https://shop.example.com"]
public struct RequestPolicy: Sendable {
    /// The proxies whose `X-Forwarded-For` identifies the client.
    public var trustedProxies = TrustedProxies([])
    /// The origins whose scripts may call the API from a browser, such as `https://shop.example.com`.
    public var allowedOrigins: Set<String> = []
    /// The limit of all requests of one network to this server; nil for no limit.
    public var requests: RequestRate?
    /// The limit of sign-ups, sign-ins and new guests of one network on this server, each of which stays in the
    /// database for a month. The same limit applies to idempotency keys of guests and customers, which stay for a day.
    /// nil for no limit.
    public var newSessions: RequestRate? = .init(perSecond: 10, burst: 2_000)
    /// The limit of declined payments of one network in a quarter of an hour; 0 for no limit, also for a buyer or a
    /// card.
    public var declinedPayments = 30

    public init() {}
}

/// Refuses requests of a network that sends more than the policy allows. Health checks are not counted.
struct RequestLimitMiddleware: RouterMiddleware {
    let limiter: NetworkLimiter

    private static let free = [Contract.healthLive, Contract.healthReady].map(\.endpoint.template.description)

    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        if !Self.free.contains(request.uri.path) { try limiter.take(from: context.network) }
        return try await next(request, context)
    }
}

/// A number of requests, as a token bucket.
public struct RequestRate: Sendable, Equatable {
    /// The number of requests possible without a pause; at least 1.
    public let burst: Double
    /// The number of requests that become possible again each second; above 0.
    public let perSecond: Double

    public init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// Counts the requests of each network against a rate; a wide network has a higher one (`NetworkShare`). Only requests
/// to this process count.
final class NetworkLimiter: Sendable {
    private struct Bucket {
        /// The used part of the burst at `time`; 0 for a network that can use all of it.
        var used: Double
        var time: Date
    }

    private let rate: RequestRate
    private let time: any TimeSource
    private let capacity: Int
    private let buckets = Mutex<[String: Bucket]>([:])

    /// - Parameter capacity: the maximum number of tracked networks; beyond that, those with the least use are dropped.
    init(_ rate: RequestRate, time: any TimeSource, capacity: Int = 100_000) {
        self.rate = rate
        self.time = time
        self.capacity = capacity
    }

    /// The number of tracked networks.
    var count: Int { buckets.withLock { $0.count } }

    /// The seconds until the network may send again; nil if it may send now.
    func wait(of network: String) -> Int? {
        let now = time.now
        return buckets.withLock { buckets in wait(of: NetworkShare.all(of: network), &buckets, now) }
    }

    /// Counts one request; the network may exceed its burst with it.
    func count(_ network: String) {
        let now = time.now
        buckets.withLock { buckets in add(to: NetworkShare.all(of: network), &buckets, now) }
    }

    /// Counts one request.
    ///
    /// - Throws: `DomainError.tooManyRequests`, without counting the request.
    func take(from network: String) throws(DomainError) {
        let now = time.now
        let shares = NetworkShare.all(of: network)
        let wait: Int? = buckets.withLock { buckets in
            if let wait = self.wait(of: shares, &buckets, now) { return wait }
            add(to: shares, &buckets, now)
            return nil
        }
        if let wait { throw .tooManyRequests(retryAfterSeconds: wait) }
    }

    private func wait(of shares: [NetworkShare], _ buckets: inout [String: Bucket], _ now: Date) -> Int? {
        shares.compactMap { share -> Int? in
            let excess = used(by: share.network, &buckets, now) + 1 / Double(share.factor) - rate.burst
            return excess > 0 ? max(1, Int((excess / rate.perSecond).rounded(.up))) : nil
        }.max()
    }

    /// Adds a request to all networks; a wide network with a larger limit counts a smaller part of it.
    private func add(to shares: [NetworkShare], _ buckets: inout [String: Bucket], _ now: Date) {
        for share in shares {
            let used = used(by: share.network, &buckets, now) + 1 / Double(share.factor)
            if buckets.count >= capacity, buckets[share.network] == nil { forget(&buckets, now) }
            buckets[share.network] = Bucket(used: used, time: now)
        }
    }

    /// Updates the bucket of a network to the current time. If the clock was set back, the bucket continues from there.
    private func used(by network: String, _ buckets: inout [String: Bucket], _ now: Date) -> Double {
        guard var bucket = buckets[network] else { return 0 }
        bucket.used -= max(0, now.timeIntervalSince(bucket.time)) * rate.perSecond
        bucket.time = now
        buckets[network] = bucket.used > 0 ? bucket : nil
        return max(0, bucket.used)
    }

    /// Removes half of the capacity, which takes long but happens rarely.
    private func forget(_ buckets: inout [String: Bucket], _ now: Date) {
        for network in Array(buckets.keys) { _ = used(by: network, &buckets, now) }
        let surplus = buckets.count - capacity / 2
        guard surplus > 0 else { return }
        for (network, _) in buckets.sorted(by: { $0.value.used < $1.value.used }).prefix(surplus) {
            buckets[network] = nil
        }
    }
}
