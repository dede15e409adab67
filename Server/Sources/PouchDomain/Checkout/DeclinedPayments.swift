import Foundation
import PouchEntities
import Synchronization

/// The origin of a payment, for the limit of declined ones.
public struct PaymentOrigin: Sendable, Equatable {
    /// The client's network, as in `NetworkAddress.network`.
    public let network: String
    /// The maximum number of declined payments of a small network in a quarter of an hour (`NetworkShare`).
    public let declines: Int

    public init(network: String, declines: Int) {
        self.network = network
        self.declines = declines
    }
}

/// Limits declined payments of a buyer, of a card and of a network, so that a thief cannot test stolen cards, or keep
/// stock from other buyers with orders that are never paid.
///
/// They are counted in the database, for all servers. Once a payment of a network has been declined, its payments that
/// wait for the provider on this server also count, and no network can have more waiting than four times its limit, so
/// that sending many payments concurrently gains little.
struct DeclinedPayments: Sendable {
    static let window = TimeInterval.quarterHour
    static let perBuyer = 10
    static let perCard = 10
    /// The maximum number of payments waiting for the provider, as a multiple of the limit of declined ones.
    static let waitingFactor = 4
    /// The time after which the waiting payments have probably been answered, in seconds.
    private static let pause = 5

    private let limits: [AttemptLimit]
    /// The limits of networks with other waiting payments, reduced by these.
    private let crowded: [AttemptLimit]
    private let isFull: Bool
    private let environment: DomainEnvironment

    /// - Parameter waiting: the payments that wait for the provider, including this one.
    init(
        of buyer: Principal, by method: PaymentMethod, from origin: PaymentOrigin, waiting: WaitingPayments,
        _ environment: DomainEnvironment
    ) {
        self.environment = environment
        let digests = environment.digests
        func limit(_ network: String, _ most: Int) -> AttemptLimit {
            AttemptLimit(most, "payment network", network, by: digests)
        }
        let networks = NetworkShare.all(of: origin.network).map { share in
            (
                name: share.network, most: origin.declines * share.factor,
                others: waiting.count(share.network) - 1
            )
        }
        limits =
            [
                AttemptLimit(Self.perBuyer, "payment buyer", buyer.ownerId, by: digests),
                AttemptLimit(Self.perCard, "payment card", method.token, by: digests),
            ] + networks.map { limit($0.name, $0.most) }
        crowded = networks.filter { $0.others > 0 }.map { limit($0.name, max(1, $0.most - $0.others)) }
        isFull = networks.contains { $0.others >= $0.most * Self.waitingFactor }
    }

    /// - Throws: `DomainError.tooManyDeclines`; `.tooManyRequests` while too many payments wait.
    func check(in repositories: any Repositories) throws {
        let now = environment.time.now
        let failures = try repositories.sessions.failures(
            keys: limits.map(\.key), since: now.addingTimeInterval(-Self.window))
        if let wait = limits.wait(after: failures, window: Self.window, at: now) {
            throw DomainError.tooManyDeclines(retryAfterSeconds: wait)
        }
        // Once they are answered, the waiting payments may exceed the limit.
        if isFull || crowded.wait(after: failures, window: Self.window, at: now) != nil {
            throw DomainError.tooManyRequests(retryAfterSeconds: Self.pause)
        }
    }

    /// Counts a declined payment.
    func count(orderId: String, in repositories: any Repositories) throws {
        for limit in limits {
            try repositories.sessions.addFailure(key: limit.key, attempt: orderId, at: environment.time.now)
        }
    }
}

/// The payments of each network that wait for the provider on this server.
final class WaitingPayments: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func count(_ network: String) -> Int { counts.withLock { $0[network, default: 0] } }

    /// Counts a payment while the body runs.
    ///
    /// - Parameter network: the client's network; nil for a payment that is not limited.
    func counting<Value>(_ network: String?, _ body: () async throws -> Value) async rethrows -> Value {
        let networks = network.map { NetworkShare.all(of: $0).map(\.network) } ?? []
        counts.withLock { counts in for network in networks { counts[network, default: 0] += 1 } }
        defer {
            counts.withLock { counts in
                for network in networks {
                    let left = counts[network, default: 1] - 1
                    counts[network] = left > 0 ? left : nil
                }
            }
        }
        return try await body()
    }
}
