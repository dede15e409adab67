import Foundation
import PouchNetwork
import PouchService
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestQueueTests {
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
        let second = Task { try await service.call(.catalog(.promotions())).status }
        second.cancel()
        await #expect {
            _ = try await second.value
        } throws: {
            ($0 as? ServiceError)?.reason == .network(.cancelled)
        }
        gate.open()
        #expect(try await first.value == 200)
        #expect(transport.requests.count == 1)
    }
}
