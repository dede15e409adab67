import Foundation
import PouchNetwork
import PouchService
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NetworkQueueTests {
    @Test func `no more requests run at once than allowed, and all run in the end`() async throws {
        let running = Mutex((now: 0, most: 0))
        let transport = StubTransport { _ in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            await Task.yield()
            running.withLock { $0.now -= 1 }
            return .text("{}")
        }
        let service = try makeService(over: transport, requestLimit: 3)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { _ = try await service.call(.catalog(.seasons())) } }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } == 3)
    }

    @Test func `what waits is cancelled at once and never sent`() async throws {
        let gate = Gate()
        let transport = RecordingTransport { _ in
            await gate.pass()
            return .text("{}")
        }
        let service = try makeService(over: transport, requestLimit: 1)
        let first = Task { try await service.call(.catalog(.seasons())).status }
        await gate.held(1)
        let executor = SteppedExecutor()
        let second = Task(executorPreference: executor) { try await service.call(.catalog(.promotions())).status }
        await executor.settle()
        second.cancel()
        await #expect {
            _ = try await second.value
        } throws: {
            ($0 as? ServiceError)?.reason == .cancelled
        }
        gate.open()
        #expect(try await first.value == 200)
        #expect(transport.requests.count == 1)
    }

    @Test func `of those that wait the one with the highest priority goes first, then the one that came first`()
        async throws
    {
        let gate = Gate()
        let transport = RecordingTransport { _ in
            await gate.pass()
            return .text("{}")
        }
        let service = try makeService(over: transport, requestLimit: 1)
        let running = Task { _ = try await service.call(.catalog(.seasons())) }
        await gate.held(1)
        let executor = SteppedExecutor()
        var waiting: [Task<Void, any Error>] = []
        for (handle, priority) in [
            ("low", TaskPriority.background), ("high-1", .userInitiated), ("medium", .medium),
            ("high-2", .userInitiated),
        ] {
            waiting.append(
                Task(executorPreference: executor, priority: priority) {
                    _ = try await service.call(.catalog(.product(handle: handle)))
                })
            await executor.settle()
        }
        gate.open()
        for task in [running] + waiting { try await task.value }
        let order = transport.requests.dropFirst().map(\.url.lastPathComponent)
        #expect(order == ["high-1", "high-2", "medium", "low"])
    }
}
