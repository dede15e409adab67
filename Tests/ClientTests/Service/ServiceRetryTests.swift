import Foundation
import PouchNetwork
import PouchService
import PouchWire
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ServiceRetryTests {
    private let body = Data("{}".utf8)
    private let atOnce: RetryPolicy

    init() {
        var policy = RetryPolicy()
        policy.jitter = { _ in .zero }
        atOnce = policy
    }

    private func store(expiresIn seconds: TimeInterval = 900) -> MemorySessionStore {
        MemorySessionStore(Fixture.data(Fixture.session(expiresIn: seconds)))
    }

    @Test func `a purchase whose answer was lost is sent again by itself, with the same key and the same bytes`()
        async throws
    {
        let calls = Counter()
        let transport = RecordingTransport { _ throws(NetworkError) in
            calls.increment()
            guard calls.value > 2 else { throw .connectionLost("test") }
            return .json(Fixture.order(), status: 201)
        }
        let service = try makeService(over: transport, store: store(), retries: atOnce)
        #expect(try await service.call(.cart(.checkout(body: body))).status == 201)
        #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == ["made-key", "made-key", "made-key"])
        #expect(transport.requests.allSatisfy { $0 == transport.requests.first })
    }

    @Test func `signing up is not sent again after a lost answer, since it may have had its effect`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .connectionLost("test") }
        let service = try makeService(over: transport, retries: atOnce)
        await #expect(throws: ServiceError(.unreachable("test"))) {
            _ = try await service.call(.account(.signUp(body: body)))
        }
        #expect(transport.requests.count == 1)
    }

    @Test func `a renewal whose answer was lost is sent again with the same refresh token, and nobody is signed out`()
        async throws
    {
        let renewals = Counter()
        let transport = RecordingTransport { request throws(NetworkError) in
            guard request.url.path() == "/v1/sessions/refresh" else { return .text("{}") }
            renewals.increment()
            guard renewals.value > 1 else { throw .timedOut }
            return .json(Fixture.session("access-2", refresh: "refresh-2"))
        }
        let service = try makeService(over: transport, store: store(expiresIn: 1), retries: atOnce)
        _ = try await service.call(.cart(.current))
        let sent = transport.requests(to: "/v1/sessions/refresh")
        #expect(sent.count == 2 && sent.first?.body == sent.last?.body)
        #expect(transport.requests.last?.headers["Authorization"] == "Bearer access-2")
    }

    @Test func `no renewal is begun when the server may have forgotten that the refresh token was used`() async throws {
        let clock = ManualClock()
        var policy = RetryPolicy(attempts: 9, longestRetryAfter: .seconds(100), deadline: .seconds(500))
        policy.jitter = { _ in .zero }
        let transport = RecordingTransport { _ in
            NetworkResponse(status: 503, headers: ["Retry-After": "30"])
        }
        let service = try makeService(over: transport, store: store(expiresIn: 1), retries: policy, clock: clock)
        let call = Task { _ = try await service.call(.cart(.current)) }
        // While the attempt is under way its timeout sleeps longer.
        while await clock.sleepers(1) > .seconds(30) { await Task.yield() }
        await clock.advance(by: .seconds(30))
        await #expect(throws: ServiceError.self) { try await call.value }
        #expect(transport.requests.count == 2)
    }

    @Test func `when the server says no for good the real answer is told, with its Retry-After`() async throws {
        let service = try makeService(
            over: StubTransport { _ in
                NetworkResponse(
                    status: 503,
                    headers: ["Retry-After": "Fri, 15 Jan 2027 08:01:00 GMT", "Request-Id": "req-9"])
            }, retries: atOnce)
        do throws(ServiceError) {
            _ = try await service.call(.catalog(.seasons()))
            Issue.record("there is no good answer")
        } catch {
            #expect(error.status == 503 && error.requestId == "req-9")
            #expect(error.retryAfter == .seconds(60))
        }
    }

    @Test func `a dead server gets a bounded number of retries from all calls together`() async throws {
        let transport = RecordingTransport { _ throws(NetworkError) in throw .unreachable("test") }
        let service = try makeService(over: transport, retries: atOnce)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = try? await service.call(.catalog(.seasons())) } }
        }
        #expect(transport.requests.count == 120)
    }
}
