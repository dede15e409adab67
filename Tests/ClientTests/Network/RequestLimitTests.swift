import ClientTesting
import Foundation
import PouchTesting
import Testing

@testable import PouchNetwork

/// The rule of the adaptive limit, on networks that are computed: no time passes.
struct RequestLimitTests {
    /// A network of a fixed delay, whose bandwidth all running requests share.
    private struct Network {
        var delay = 0.05
        /// Bytes per second of all requests together.
        var bandwidth = Double.infinity
        var bytes = 100_000

        func measurement(running: Int) -> AdaptiveLimit.Measurement {
            AdaptiveLimit.Measurement(
                head: delay, body: Double(bytes * running) / bandwidth, bytes: bytes, running: running)
        }
    }

    /// Ends so many requests, as many at once as the limit allows.
    private func run(_ count: Int, over network: Network, _ limit: inout AdaptiveLimit) {
        for _ in 0..<count { limit.record(network.measurement(running: limit.value)) }
    }

    private static let fast = Network()
    /// One body of 100 kB fills it for 2 s.
    private static let slow = Network(bandwidth: 50_000)

    @Test func `on a network that carries all requests at once the limit doubles up to its upper bound`() {
        var limit = AdaptiveLimit(2...16)
        #expect(limit.value == 2)
        var values: [Int] = []
        for _ in 0..<5 {
            run(max(4, limit.value), over: Self.fast, &limit)
            values.append(limit.value)
        }
        #expect(values == [4, 8, 16, 16, 16])
    }

    @Test func `on a network whose bandwidth is shared the limit stays near its lower bound`() {
        var limit = AdaptiveLimit(2...16)
        run(500, over: Self.slow, &limit)
        #expect((2...6).contains(limit.value))
    }

    @Test func `the limit shrinks when the network becomes slow, and grows again when it is fast`() {
        var limit = AdaptiveLimit(2...16)
        run(100, over: Self.fast, &limit)
        #expect(limit.value == 16)
        run(200, over: Self.slow, &limit)
        #expect(limit.value <= 4)
        run(400, over: Self.fast, &limit)
        #expect(limit.value == 16)
    }

    @Test func `a lost request halves the limit, once in a round`() {
        var limit = AdaptiveLimit(2...16)
        run(100, over: Self.fast, &limit)
        for _ in 0..<5 { limit.recordLoss() }
        #expect(limit.value == 8)
        run(8, over: Self.fast, &limit)
        limit.recordLoss()
        #expect(limit.value == 4)
        for _ in 0..<10 {
            run(8, over: Self.fast, &limit)
            limit.recordLoss()
        }
        #expect(limit.value >= 2)
    }

    @Test func `requests of other kinds and sizes are not taken for delayed ones`() {
        var limit = AdaptiveLimit(2...16)
        for number in 0..<400 {
            let isLarge = number.isMultiple(of: 3)
            var measured = Network(delay: isLarge ? 1 : 0.01, bandwidth: .infinity, bytes: isLarge ? 1_000_000 : 500)
                .measurement(running: limit.value)
            measured.kind = isLarge ? "GET assets" : "GET v1/cart"
            limit.record(measured)
        }
        #expect(limit.value == 16)
    }

    @Test func `the limit does not grow while fewer requests run than it allows`() {
        var limit = AdaptiveLimit(4...16)
        for _ in 0..<100 { limit.record(Self.fast.measurement(running: 2)) }
        #expect(limit.value == 4)
    }

    @Test func `a limit that rose on a busy network is found again: after 1,000 requests it starts over`() {
        // All that the limit has ever seen is a network that others fill, too.
        var limit = AdaptiveLimit(2...16)
        run(1_000, over: Network(delay: 1), &limit)
        #expect(limit.value == 16)
        run(1, over: Self.fast, &limit)
        #expect(limit.value == 2)
    }

    @Test func `times that a clock change made negative or infinite leave the limit as it is`() {
        var limit = AdaptiveLimit(2...16)
        for head in [-1, -Double.infinity, 0] {
            for _ in 0..<50 { limit.record(.init(head: head, running: 2)) }
        }
        #expect(limit.value == 2)
    }

    // MARK: - In a queue

    @Test func `a queue runs as many requests at once as its limit now allows`() async throws {
        let request = NetworkRequest(url: try #require(URL(string: "http://127.0.0.1/a")))
        // Each reading of the time takes a second, so that requests one after the other take equally long.
        let seconds = Counter()
        let now: @Sendable () -> Date = { Date(timeIntervalSince1970: Double(seconds.increment())) }
        let (gate, queue) = (Gate(), NetworkQueue(limit: .adaptive(1...4)))
        let session = NetworkSession(StubTransport { _ in NetworkResponse(status: 200) }, now: now)
        for _ in 0..<4 {
            #expect(queue.limit == 1)
            _ = await queue.run(NetworkOperation(request, in: session))
        }
        #expect(queue.limit == 2)
        let held = NetworkSession(
            StubTransport { _ throws(NetworkError) in
                await gate.pass()
                throw .timedOut
            })
        let both = (0..<2).map { _ in Task { await queue.run(NetworkOperation(request, in: held)) } }
        await gate.held(2)
        gate.open()
        for task in both { _ = await task.value }
        #expect(queue.limit == 1)
    }

    @Test func `a fixed limit below one lets one request run, and a capped limit stays within the cap`() {
        #expect(NetworkQueue(limit: .fixed(0)).limit == 1)
        #expect(RequestLimit.adaptive(2...16).capped(at: 4) == .adaptive(2...4))
        #expect(RequestLimit.adaptive(6...16).capped(at: 4) == .adaptive(4...4))
        #expect((8 as RequestLimit).capped(at: 3) == .fixed(3))
    }
}
