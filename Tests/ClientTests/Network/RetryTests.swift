import ClientTesting
import Foundation
import Loopback
import PouchNetwork
import PouchTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RetryTests {
    private typealias Answer = Result<NetworkResponse, NetworkError>

    private static let now = Date(timeIntervalSince1970: 784_111_777)

    /// A session that always draws the longest pause, on a clock that the test advances.
    private func session(
        _ transport: any Transport, _ retries: RetryPolicy = RetryPolicy(deadline: nil), clock: ManualClock
    ) -> NetworkSession {
        var retries = retries
        retries.jitter = { $0 }
        return NetworkSession(transport, retries: retries, clock: clock, now: { Self.now })
    }

    private func request(_ method: String = "GET", _ headers: HeaderFields = [:]) throws -> NetworkRequest {
        NetworkRequest(
            url: try #require(URL(string: "http://127.0.0.1/")), method: method, headers: headers, timeout: nil)
    }

    /// A transport with these results in turn. The last one repeats.
    private func answering(_ answers: [Answer]) -> RecordingTransport {
        let rest = Mutex(answers[...])
        return RecordingTransport { _ throws(NetworkError) in
            try rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[$0.startIndex] }.get()
        }
    }

    /// Runs one operation against these answers, of which the last repeats, and lets the given number of pauses pass.
    private func run(
        _ answers: Answer..., request: NetworkRequest? = nil, retries: RetryPolicy = RetryPolicy(deadline: nil),
        pauses count: Int = 0
    ) async throws -> (sent: Int, pauses: [Duration], payload: NetworkPayload) {
        let (transport, clock) = (answering(answers), ManualClock())
        let request = try request ?? self.request()
        async let payload = NetworkOperation(request, in: session(transport, retries, clock: clock)).run()
        var pauses: [Duration] = []
        for _ in 0..<count {
            let pause = await clock.sleepers(1)
            pauses.append(pause)
            await clock.advance(by: pause)
        }
        let ended = await payload
        return (transport.requests.count, pauses, ended)
    }

    @Test func `one attempt means one attempt, and its error is the result`() async throws {
        let (sent, _, payload) = try await run(.failure(.unreachable("away")), retries: RetryPolicy(attempts: 1))
        #expect(sent == 1 && payload.error == .unreachable("away"))
    }

    @Test func `ten attempts mean ten, with pauses that double up to the limit`() async throws {
        let (sent, pauses, payload) = try await run(
            .failure(.connectionLost("x")), retries: RetryPolicy(attempts: 10, deadline: nil), pauses: 9)
        #expect(sent == 10)
        #expect(pauses.map { $0 / .milliseconds(200) } == [1, 2, 4, 8, 16, 25, 25, 25, 25])
        #expect(payload.attempts.map(\.outcome) == Array(repeating: .failed(.connectionLost("x")), count: 10))
    }

    @Test func `jitter is drawn from the whole range`() {
        let policy = RetryPolicy()
        let drawn = (0..<1_000).map { _ in policy.jitter(.seconds(1)) / .seconds(1) }
        #expect(drawn.allSatisfy { (0...1).contains($0) })
        #expect(drawn.contains { $0 < 0.1 } && drawn.contains { $0 > 0.9 })
    }

    @Test func `the payload has the last response, with nothing of earlier attempts`() async throws {
        let (_, _, payload) = try await run(
            .status(503, headers: ["X-Part": "1"], "partial"), .failure(.connectionLost("x")), .status(504, "last"),
            pauses: 2)
        let outcomes = payload.attempts.map(\.outcome)
        #expect(outcomes == [.answered(status: 503), .failed(.connectionLost("x")), .answered(status: 504)])
        #expect(payload.attempts.allSatisfy { $0.startedAt <= ($0.endedAt ?? .distantPast) })
    }

    @Test(arguments: SomeTransport.allCases)
    func `the bytes of an interrupted response never reach the next attempt`(kind: SomeTransport) async throws {
        let count = Counter()
        let server = try LoopbackServer { _ in
            count.increment() == 1
                ? "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nbroken"
                : "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole"
        }
        let session = NetworkSession(try kind.make(), retries: .withoutPauses())
        let payload = await NetworkOperation(NetworkRequest(url: try server.url("/")), in: session).run()
        #expect(payload.data == Data("whole".utf8))
        #expect(payload.attempts.count == 2 && server.heads.count == 2)
    }

    @Test(arguments: [408, 425, 429, 502, 503, 504])
    func `a request is repeated after a temporary failure`(status: Int) async throws {
        #expect(try await run(.status(status), .status(200), pauses: 1).payload.response?.status == 200)
    }

    @Test(
        arguments: [
            (NetworkResponse(status: 500), false), (NetworkResponse(status: 404), false),
            (NetworkResponse(status: 500, headers: ["Should-Retry": "true"]), true),
            (NetworkResponse(status: 409, headers: ["Should-Retry": "true"]), true),
            (NetworkResponse(status: 503, headers: ["Should-Retry": "false"]), false),
            (NetworkResponse(status: 200, headers: ["Should-Retry": "true"]), false),
        ])
    func `Should-Retry overrides the status`(answer: NetworkResponse, isRepeated: Bool) async throws {
        let retries = RetryPolicy(attempts: 2, deadline: nil)
        let sent = try await run(.success(answer), retries: retries, pauses: isRepeated ? 1 : 0).sent
        #expect(sent == (isRepeated ? 2 : 1))
    }

    @Test(
        arguments: [
            ("GET", [:], true), ("PUT", [:], true), ("DELETE", [:], true), ("POST", [:], false), ("PATCH", [:], false),
            ("POST", ["Idempotency-Key": "k"], true), ("PUT", ["If-Match": "\"1\""], false),
        ] as [(String, HeaderFields, Bool)])
    func `after an ambiguous failure only a safe request is repeated`(
        method: String, headers: HeaderFields, isRepeated: Bool
    ) async throws {
        for failure in [NetworkError.connectionLost("x"), .timedOut] {
            let sent = try await run(
                .failure(failure), request: request(method, headers), retries: RetryPolicy(attempts: 2, deadline: nil),
                pauses: isRepeated ? 1 : 0
            ).sent
            #expect(sent == (isRepeated ? 2 : 1))
        }
    }

    @Test func `an unsent request is repeated for any method, and the caller can override what is safe`() async throws {
        for (failure, repeatable) in [(NetworkError.unreachable("x"), nil), (.connectionLost("x"), true)] {
            var request = try request("POST")
            request.repeatable = repeatable
            #expect(try await run(.failure(failure), request: request, pauses: 2).sent == 3)
        }
        var request = try request()
        request.repeatable = false
        #expect(try await run(.failure(.connectionLost("x")), request: request).sent == 1)
    }

    @Test(arguments: [
        NetworkError.cancelled, .untrusted("x"), .noTLS("x"), .noHTTP("x"), .invalidAddress, .failed("x"),
        .tooLarge(limit: 1), .tooManyRedirects,
    ])
    func `a permanent failure is final`(error: NetworkError) async throws {
        let (sent, _, payload) = try await run(.failure(error))
        #expect(sent == 1 && payload.error == error)
    }

    @Test(
        arguments: [
            ("7", 7), ("0", 0), ("Sun, 06 Nov 1994 08:49:40 GMT", 3), ("Sunday, 06-Nov-94 08:49:40 GMT", 3),
            ("Sun Nov  6 08:49:40 1994", 3), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ])
    func `Retry-After is respected, in seconds and as a date`(text: String, seconds: Int) async throws {
        let (_, pauses, payload) = try await run(.status(503, headers: ["Retry-After": text]), .status(200), pauses: 1)
        #expect(pauses == [.seconds(seconds) + .milliseconds(200)])
        #expect(payload.response?.status == 200)
    }

    @Test(arguments: ["11", "99999999999999999999999", "Sun, 06 Nov 2094 08:49:40 GMT"])
    func `a Retry-After that is too long ends the operation at once with the response`(text: String) async throws {
        let (sent, _, payload) = try await run(.status(503, headers: ["Retry-After": text]))
        #expect(sent == 1 && payload.response?.status == 503)
    }

    @Test(arguments: ["", "soon", "-1", "1.5", "Sun, 06 Nov"])
    func `an unreadable Retry-After is ignored`(text: String) {
        #expect(HeaderFields([.init(name: "retry-after", value: text)]).retryAfter(now: Self.now) == nil)
    }

    @Test func `a pause that does not fit into the deadline is not started`() async throws {
        let (sent, pauses, payload) = try await run(
            .status(503, headers: ["Retry-After": "3"]), retries: RetryPolicy(attempts: 9, deadline: .seconds(7)),
            pauses: 2)
        #expect(sent == 3 && pauses.count == 2 && payload.response?.status == 503)
    }

    @Test func `the deadline cuts the running attempt short`() async throws {
        let (clock, gate) = (ManualClock(), Gate())
        var request = try request()
        request.timeout = .seconds(30)
        let transport = RecordingTransport(heldBy: gate)
        let session = session(transport, RetryPolicy(deadline: .seconds(20)), clock: clock)
        async let payload = NetworkOperation(request, in: session).run()
        #expect(await clock.sleepers(1) == .seconds(20))
        await clock.advance(by: .seconds(20))
        #expect(await payload.error == .timedOut)
        gate.open()
    }

    @Test func `an attempt that timed out is followed by another, and its late response is dropped`() async throws {
        let (clock, gate, count) = (ManualClock(), Gate(), Counter())
        let transport = StubTransport { _ in
            guard count.increment() == 1 else { return NetworkResponse(status: 201) }
            await gate.pass()
            return NetworkResponse(status: 200)
        }
        var request = try request()
        request.timeout = .seconds(5)
        let operation = NetworkOperation(request, in: session(transport, clock: clock))
        async let payload = operation.run()
        await gate.held(1)
        await clock.advance(by: .seconds(5))
        await clock.advance(by: .milliseconds(200))
        #expect(await payload.response?.status == 201)
        gate.open()
        #expect(await operation.run().response?.status == 201)
    }

    @Test func `cancelling in a pause ends at once, and the payload keeps the earlier attempts`() async throws {
        let clock = ManualClock()
        let transport = answering([.status(503)])
        let operation = NetworkOperation(try request(), in: session(transport, clock: clock))
        async let payload = operation.run()
        await clock.sleepers(1)
        operation.cancel()
        let ended = await payload
        #expect(ended.error == .cancelled && ended.response == nil)
        #expect(ended.attempts.map(\.outcome) == [.answered(status: 503)])
        #expect(transport.requests.count == 1)
    }

    @Test func `the budget limits retries to a share of the successes of all operations`() async throws {
        let retries = RetryPolicy.withoutPauses(attempts: 2, deadline: nil)
        let budget = RetryBudget(capacity: 3, share: 0.5)
        let down = answering([.failure(.unreachable("x"))])
        let session = NetworkSession(down, retries: retries, retryBudget: budget)
        for _ in 0..<10 { _ = await NetworkOperation(try request(), in: session).run() }
        #expect(down.requests.count == 13)
        let up = NetworkSession(answering([.status(200)]), retryBudget: budget)
        for _ in 0..<4 { _ = await NetworkOperation(try request(), in: up).run() }
        for _ in 0..<10 { _ = await NetworkOperation(try request(), in: session).run() }
        #expect(down.requests.count == 25)
    }

    @Test func `a status that is not accepted is an error, and the response is readable`() async throws {
        let session = NetworkSession(answering([.status(404, "x")]))
        let operation = NetworkOperation(try request(), in: session, accepts: { (200..<300).contains($0) })
        let payload = await operation.run()
        #expect(payload.error == .unaccepted(status: 404) && payload.data == Data("x".utf8))
    }

    @Test func `in any race of cancel, retry and response the operation ends once`() async throws {
        let retries = RetryPolicy.withoutPauses(attempts: 4, deadline: nil)
        for round in 0..<1_000 {
            let transport = answering([.failure(.unreachable("x")), .status(503), .status(200)])
            let operation = NetworkOperation(try request(), in: NetworkSession(transport, retries: retries))
            async let first = operation.run()
            for _ in 0..<(round % 20) { await Task.yield() }
            operation.cancel()
            let (one, two) = await (first, operation.run())
            #expect((one.response?.status == 200) != (one.error == .cancelled))
            #expect(one.endedAt == two.endedAt && one.attempts.count == two.attempts.count)
        }
    }
}

extension Result<NetworkResponse, NetworkError> {
    fileprivate static func status(_ status: Int, headers: HeaderFields = [:], _ text: String = "") -> Self {
        .success(NetworkResponse(status: status, headers: headers, data: Data(text.utf8)))
    }
}
