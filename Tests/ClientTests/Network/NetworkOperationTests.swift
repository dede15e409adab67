import Foundation
import PouchNetwork
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NetworkOperationTests {
    let request: NetworkRequest

    init() throws {
        request = NetworkRequest(url: try #require(URL(string: "http://127.0.0.1/")))
    }

    @Test func `an answer ends the operation with a response, no error and all three times`() async throws {
        let transport = StubTransport { _ in NetworkResponse(status: 500, data: Data("x".utf8)) }
        let payload = await NetworkOperation(request, over: transport).run()
        #expect(payload.response?.status == 500)
        #expect(payload.error == nil)
        let started = try #require(payload.startedAt)
        let ended = try #require(payload.endedAt)
        #expect(payload.createdAt <= started && started <= ended)
    }

    @Test func `the payload keeps the original request beside the one that was sent`() async {
        var sent = request
        sent.headers["Authorization"] = "Bearer x"
        let transport = RecordingTransport { _ in NetworkResponse(status: 200) }
        let payload = await NetworkOperation(request, sending: sent, over: transport).run()
        #expect(transport.requests == [sent])
        #expect(payload.originalRequest == request)
        #expect(payload.sentRequest == sent)
    }

    @Test func `cancelling ends the operation even when the transport never does`() async {
        let gate = Gate()
        let transport = StubTransport { _ in
            await gate.pass()
            return NetworkResponse(status: 200)
        }
        let operation = NetworkOperation(request, over: transport)
        async let first = operation.run()
        async let second = operation.run()
        await gate.held(1)
        operation.cancel()
        let payloads = await [first, second]
        #expect(payloads.map(\.error) == [.cancelled, .cancelled])
        gate.open()
    }

    @Test func `cancelling the task that waits cancels the operation`() async {
        let gate = Gate()
        let transport = StubTransport { _ in
            await gate.pass()
            return NetworkResponse(status: 200)
        }
        let operation = NetworkOperation(request, over: transport)
        let task = Task { await operation.run() }
        await gate.held(1)
        task.cancel()
        #expect(await task.value.error == .cancelled)
        gate.open()
    }

    @Test func `cancelling after the end changes nothing`() async {
        let operation = NetworkOperation(request, over: StubTransport { _ in NetworkResponse(status: 200) })
        let payload = await operation.run()
        operation.cancel()
        let later = await operation.run()
        #expect(later.response?.status == 200 && later.error == nil)
        #expect(later.endedAt == payload.endedAt)
    }

    @Test func `an operation that was cancelled before it ran sends nothing`() async {
        let transport = RecordingTransport { _ in NetworkResponse(status: 200) }
        let operation = NetworkOperation(request, over: transport)
        operation.cancel()
        let payload = await operation.run()
        #expect(payload.error == .cancelled)
        #expect(payload.startedAt == nil)
        #expect(transport.requests.isEmpty)
    }

    @Test func `however cancel and answer meet, every caller hears the same end, once`() async {
        let transport = StubTransport { _ in NetworkResponse(status: 200) }
        for _ in 0..<2_000 {
            let operation = NetworkOperation(request, over: transport)
            async let cancelled: Void = operation.cancel()
            async let first = operation.run()
            async let second = operation.run()
            await cancelled
            let (one, two) = await (first, second)
            #expect((one.response == nil) != (one.error == nil))
            #expect(one.endedAt == two.endedAt && one.error == two.error)
        }
    }

    @Test func `many callers share one sending`() async {
        let gate = Gate()
        let transport = RecordingTransport { _ in
            await gate.pass()
            return NetworkResponse(status: 204)
        }
        let operation = NetworkOperation(request, over: transport)
        async let payloads = withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { await operation.run().response?.status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await gate.held(1)
        gate.open()
        #expect(await payloads == Array(repeating: 204, count: 50))
        #expect(transport.requests.count == 1)
    }

    @Test func `the timeout ends an operation whose transport keeps silent`() async {
        let clock = ManualClock()
        let gate = Gate()
        let transport = StubTransport { _ in
            await gate.pass()
            return NetworkResponse(status: 200)
        }
        var request = request
        request.timeout = .seconds(30)
        async let payload = NetworkOperation(request, over: transport, clock: clock).run()
        await clock.advance(by: .seconds(30))
        #expect(await payload.error == .timedOut)
        gate.open()
    }

    @Test func `by the standard clock a timeout comes in time, too`() async {
        let gate = Gate()
        let transport = StubTransport { _ in
            await gate.pass()
            return NetworkResponse(status: 200)
        }
        var request = request
        request.timeout = .milliseconds(5)
        #expect(await NetworkOperation(request, over: transport).run().error == .timedOut)
        gate.open()
    }

    @Test func `a timeout that was not needed keeps nothing alive`() async {
        var request = request
        request.timeout = .seconds(3_600)
        weak var gone: NetworkOperation?
        do {
            let operation = NetworkOperation(request, over: StubTransport { _ in NetworkResponse(status: 200) })
            gone = operation
            #expect(await operation.run().error == nil)
        }
        while gone != nil { await Task.yield() }
    }
}
