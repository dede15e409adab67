import Foundation

/// The maximum number of concurrent requests of a queue: `8`, or `.adaptive(2...16)`.
public enum RequestLimit: Sendable, Equatable, ExpressibleByIntegerLiteral {
    /// Values below 1 mean 1.
    case fixed(Int)
    /// A limit that follows the measured times: it starts at the lower bound, grows while more concurrent requests take
    /// no longer, and shrinks while they delay each other or are lost. Bounds below 1 mean 1.
    case adaptive(ClosedRange<Int>)

    public init(integerLiteral limit: Int) {
        self = .fixed(limit)
    }

    /// The same limit, but at most this one.
    package func capped(at most: Int) -> RequestLimit {
        switch self {
        case .fixed(let limit): .fixed(min(limit, most))
        case .adaptive(let bounds): .adaptive(min(bounds.lowerBound, most)...min(bounds.upperBound, most))
        }
    }
}

/// A limit that follows the network by the rule of TCP Vegas (Brakmo and Peterson, “TCP Vegas: End to End Congestion
/// Avoidance on a Global Internet”, 1995), with a request instead of a packet.
///
/// The rule compares the time that a request took with the shortest time that it could take. Of n concurrent requests
/// that take twice that time, n/2 wait somewhere in the network. After each round, which is as many requests as the
/// limit, the limit grows by 1 if fewer than `alpha` wait, and shrinks by 1 if more than `beta` do. At the start it
/// doubles instead, until more than `gamma` wait. The three have the values of Linux. A lost request halves the limit,
/// once a round.
///
/// Requests of different sizes and purposes can be compared, because the shortest time has two parts: the shortest time
/// to the head of the response for requests of the same kind, and the shortest time for a byte of any body, for each
/// byte of this one.
struct AdaptiveLimit {
    struct Measurement {
        /// Requests of one kind take about the same time at the server.
        var kind = ""
        /// Seconds from the start to the head of the response, and from there to the end.
        let head: Double
        var body = 0.0
        var bytes = 0
        /// The number of concurrent requests, including this one.
        let running: Int
    }

    private static let (alpha, beta, gamma) = (2.0, 4.0, 1.0)
    private static let shortestRound = 4
    /// The number of requests after which the limit starts again at its lower bound: the network may have changed, and
    /// the shortest times can be measured only with few concurrent requests.
    private static let lifetime = 1_000
    /// The body of a smaller response arrives with its head.
    private static let smallestBody = 16 << 10
    private static let maxKinds = 64

    private(set) var value: Int
    private let bounds: ClosedRange<Int>
    /// Measurements since the start.
    private var age = 0
    private var isDoubling = true
    /// The shortest time of each kind, to the head of the response, or to the end of a small one.
    private var times: [String: Double] = [:]
    /// The shortest time for a byte of a body.
    private var pace: Double?
    private var round = Round()

    private struct Round {
        var count = 0
        var waiting = 0.0
        /// Whether as many requests ran as allowed. Otherwise the limit had no effect on the times.
        var wasFull = false
        var hadLoss = false
    }

    init(_ bounds: ClosedRange<Int>) {
        self.bounds = max(1, bounds.lowerBound)...max(1, bounds.upperBound)
        value = self.bounds.lowerBound
    }

    mutating func record(_ measured: Measurement) {
        age += 1
        guard age <= Self.lifetime else { return self = AdaptiveLimit(bounds) }
        let time = measured.head + measured.body
        guard measured.head >= 0, measured.body >= 0, time > 0 else { return }
        round.count += 1
        round.waiting += Double(measured.running) * (1 - min(1, shortest(measured) / time))
        round.wasFull = round.wasFull || measured.running >= value
        guard round.count >= max(value, Self.shortestRound) else { return }
        let waiting = round.waiting / Double(round.count)
        if waiting > Self.gamma { isDoubling = false }
        if waiting > Self.beta, !round.hadLoss {
            set(value - 1)
        } else if waiting < Self.alpha, round.wasFull, !round.hadLoss {
            set(isDoubling ? value * 2 : value + 1)
        }
        round = Round()
    }

    /// Records a request that timed out, lost its connection, or was refused because the server is overloaded.
    mutating func recordLoss() {
        guard !round.hadLoss else { return }
        isDoubling = false
        set(value / 2)
        round = Round(hadLoss: true)
    }

    /// The shortest time for such a request so far, including this one, in seconds.
    private mutating func shortest(_ measured: Measurement) -> Double {
        let isSmall = measured.bytes < Self.smallestBody
        if times.count >= Self.maxKinds, times[measured.kind] == nil { times = [:] }
        let time = min(measured.head + (isSmall ? measured.body : 0), times[measured.kind] ?? .infinity)
        times[measured.kind] = time
        guard !isSmall else { return time }
        let pace = min(measured.body / Double(measured.bytes), pace ?? .infinity)
        self.pace = pace
        return time + pace * Double(measured.bytes)
    }

    private mutating func set(_ limit: Int) {
        value = min(max(limit, bounds.lowerBound), bounds.upperBound)
    }
}

extension AdaptiveLimit {
    /// Measures the last attempt of an operation, unless it was cancelled or did not reach a server.
    mutating func record(_ payload: NetworkPayload, running: Int) {
        guard let attempt = payload.attempts.last, let end = attempt.endedAt, let outcome = attempt.outcome else {
            return
        }
        switch outcome {
        case .failed(.timedOut), .failed(.connectionLost), .answered(status: 429), .answered(status: 503):
            recordLoss()
        case .failed: break
        case .answered:
            let head = attempt.headAt ?? end
            record(
                Measurement(
                    kind: payload.sentRequest.kind, head: head.timeIntervalSince(attempt.startedAt),
                    body: end.timeIntervalSince(head), bytes: attempt.receivedBytes, running: running))
        }
    }
}

extension NetworkRequest {
    /// The method and the first two components of the path, such as `GET v1/products`, with their number.
    fileprivate var kind: String {
        let path = url.path(percentEncoded: true).split(separator: "/")
        return "\(method) \(path.prefix(2).joined(separator: "/")) \(path.count)"
    }
}
