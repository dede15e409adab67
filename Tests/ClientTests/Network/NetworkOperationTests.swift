import ClientTesting
import Foundation
import PouchNetwork
import PouchService
import PouchTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkOperationTests {
    let request: NetworkRequest

    init() throws { request = NetworkRequest(url: try #require(URL(string: "http://127.0.0.1/"))) }

    @Test func `a response ends the operation without an error and with all three times`() async throws {
        let response = NetworkResponse(status: 500, data: Data("x".utf8))
        let payload = await NetworkOperation(request, over: StubTransport { _ in response }).run()
        #expect(payload.response == response && payload.error == nil)
        let (started, ended) = (try #require(payload.startedAt), try #require(payload.endedAt))
        #expect(payload.createdAt <= started && started <= ended)
    }

    @Test func `the payload keeps the original request next to the sent one`() async {
        var sent = request
        sent.headers["Authorization"] = "Bearer x"
        let transport = RecordingTransport { _ in NetworkResponse(status: 200) }
        let payload = await NetworkOperation(request, sending: sent, over: transport).run()
        #expect(transport.requests == [sent])
        #expect(payload.originalRequest == request && payload.sentRequest == sent)
    }

    @Test func `cancelling ends the operation even if the transport never returns`() async {
        let gate = Gate()
        let operation = NetworkOperation(request, over: RecordingTransport(heldBy: gate))
        async let first = operation.run()
        async let second = operation.run()
        await gate.held(1)
        operation.cancel()
        #expect(await [first, second].map(\.error) == [.cancelled, .cancelled])
        gate.open()
    }

    @Test func `cancelling the task that waits cancels the operation`() async {
        let gate = Gate()
        let operation = NetworkOperation(request, over: RecordingTransport(heldBy: gate))
        let task = Task { await operation.run() }
        await gate.held(1)
        task.cancel()
        #expect(await task.value.error == .cancelled)
        gate.open()
    }

    @Test func `cancelling after the end changes nothing`() async {
        let operation = NetworkOperation(request, over: StubTransport { _ in NetworkResponse(status: 200) })
        let ended = await operation.run().endedAt
        operation.cancel()
        let later = await operation.run()
        #expect(later.response?.status == 200 && later.error == nil && later.endedAt == ended)
    }

    @Test func `an operation that was cancelled before it ran sends nothing`() async {
        let transport = RecordingTransport { _ in NetworkResponse(status: 200) }
        let operation = NetworkOperation(request, over: transport)
        operation.cancel()
        let payload = await operation.run()
        #expect(payload.error == .cancelled && payload.startedAt == nil)
        #expect(transport.requests.isEmpty)
    }

    @Test func `cancelling while the transport is being called cancels its work`() async {
        let operation = Mutex<NetworkOperation?>(nil)
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let transport = StubTransport { _ in
            // Still within the call of `run`.
            operation.withLock { $0 }?.cancel()
            let gate = Gate()
            await withTaskCancellationHandler {
                await gate.pass()
            } onCancel: {
                gate.open()
            }
            ended.finish()
            return NetworkResponse(status: 200)
        }
        let cancelled = NetworkOperation(request, over: transport)
        operation.withLock { $0 = cancelled }
        #expect(await cancelled.run().error == .cancelled)
        for await _ in ends {}
        operation.withLock { $0 = nil }
    }

    @Test func `the closures of an operation and its session may cancel it`() async {
        let operation = Mutex<NetworkOperation?>(nil)
        let cancel: @Sendable () -> Void = { operation.withLock { exchange(&$0, with: nil) }?.cancel() }
        let transport = StubTransport { _ in NetworkResponse(status: 503) }
        var retries = RetryPolicy()
        retries.jitter = { longest in
            cancel()
            return longest
        }
        let drawing = NetworkSession(transport, retries: retries)
        let dating = NetworkSession(
            transport,
            now: {
                cancel()
                return Date()
            })
        let judged = NetworkOperation(
            request, in: NetworkSession(transport),
            accepts: { _ in
                cancel()
                return true
            })
        for (closure, cancelled) in [
            ("jitter", NetworkOperation(request, in: drawing)), ("now", NetworkOperation(request, in: dating)),
            ("accepts", judged),
        ] {
            operation.withLock { $0 = cancelled }
            #expect(await cancelled.run().error == .cancelled, "\(closure)")
        }
    }

    @Test func `in any race of cancel and response every caller gets the same result once`() async {
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

    @Test func `many callers share one request`() async {
        let gate = Gate()
        let transport = RecordingTransport(heldBy: gate, answering: NetworkResponse(status: 204))
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

    @Test func `the timeout ends an operation whose transport never returns`() async {
        let (clock, gate) = (ManualClock(), Gate())
        var request = request
        request.timeout = .seconds(30)
        async let payload = NetworkOperation(request, over: RecordingTransport(heldBy: gate), clock: clock).run()
        await clock.advance(by: .seconds(30))
        #expect(await payload.error == .timedOut)
        gate.open()
    }

    @Test func `a timeout works with the default clock`() async {
        let gate = Gate()
        var request = request
        request.timeout = .milliseconds(5)
        #expect(await NetworkOperation(request, over: RecordingTransport(heldBy: gate)).run().error == .timedOut)
        gate.open()
    }

    @Test func `an unused timeout does not keep the operation alive`() async throws {
        var request = request
        request.timeout = .seconds(3_600)
        weak var released: NetworkOperation?
        do {
            let operation = NetworkOperation(request, over: StubTransport { _ in NetworkResponse(status: 200) })
            released = operation
            #expect(await operation.run().error == nil)
        }
        try await eventually { released == nil }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct NetworkQueueTests {
    @Test func `the limit of concurrent requests holds, and all requests run`() async throws {
        let shop = TestShop()
        let service = try makeService(over: shop, requestLimit: 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try await service.call(Contract.seasons.call()) } }
            try await group.waitForAll()
        }
        #expect(shop.peakConcurrency == 3)
    }

    @Test func `cancelling a waiting request ends it at once, unsent`() async throws {
        let gate = Gate()
        let transport = RecordingTransport(heldBy: gate, answering: .text("{}"))
        let service = try makeService(over: transport, requestLimit: 1)
        let first = Task { try await service.call(Contract.seasons.call()).status }
        await gate.held(1)
        let executor = SteppedExecutor()
        let second = Task(executorPreference: executor) { try await service.call(Contract.promotions.call()).status }
        await executor.settle()
        second.cancel()
        #expect(await failureReason { try await second.value } == .network(.cancelled))
        gate.open()
        #expect(try await first.value == 200)
        #expect(transport.requests.count == 1)
    }

    @Test func `waiting requests run in the order of priority, then of arrival`() async throws {
        let gate = Gate()
        let transport = RecordingTransport(heldBy: gate, answering: .text("{}"))
        let service = try makeService(over: transport, requestLimit: 1)
        let running = Task { _ = try await service.call(Contract.seasons.call()) }
        await gate.held(1)
        let executor = SteppedExecutor()
        var waiting: [Task<Void, any Error>] = []
        let order: [(String, TaskPriority)] = [
            ("low", .background), ("high-1", .userInitiated), ("medium", .medium), ("high-2", .userInitiated),
        ]
        for (handle, priority) in order {
            waiting.append(
                Task(executorPreference: executor, priority: priority) {
                    _ = try await service.call(Contract.product.call(handle))
                })
            await executor.settle()
        }
        gate.open()
        for task in [running] + waiting { try await task.value }
        #expect(transport.requests.dropFirst().map(\.url.lastPathComponent) == ["high-1", "high-2", "medium", "low"])
    }
}

@Suite(.timeLimit(.minutes(5)))
struct TimeoutClockTests {
    private let clock = TimeoutClock()

    @Test func `sleeps end after their deadlines, in any order of starting`() async throws {
        let start = clock.now
        let woken = try await withThrowingTaskGroup(of: Int.self) { group in
            for milliseconds in [60, 20, 40, 1, 0] {
                group.addTask { [clock] in
                    try await clock.sleep(until: start.advanced(by: .milliseconds(milliseconds)))
                    #expect(clock.now >= start.advanced(by: .milliseconds(milliseconds)))
                    return milliseconds
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(woken.sorted() == [0, 1, 20, 40, 60])
    }

    @Test func `a cancelled sleep ends at once, and the others continue`() async throws {
        let others = Task { [clock] in try await clock.sleep(for: .milliseconds(20)) }
        for _ in 0..<1_000 {
            let sleep = Task { [clock] in try await clock.sleep(for: .seconds(3_600)) }
            await Task.yield()
            sleep.cancel()
            await #expect(throws: CancellationError.self) { try await sleep.value }
        }
        try await others.value
    }

    @Test func `a sleep works after a timer that fired in vain`() async throws {
        let sleep = Task { [clock] in try await clock.sleep(for: .milliseconds(5)) }
        await Task.yield()
        sleep.cancel()
        _ = await sleep.result
        for _ in 0..<3 { try await clock.sleep(for: .milliseconds(10)) }
    }

    @Test func `a cancelled sleep does not keep the clock alive`() async throws {
        weak var released: TimeoutClock?
        do {
            let clock = TimeoutClock()
            released = clock
            let sleep = Task { try await clock.sleep(for: .seconds(3_600)) }
            await Task.yield()
            sleep.cancel()
            _ = await sleep.result
        }
        try await eventually { released == nil }
    }
}
