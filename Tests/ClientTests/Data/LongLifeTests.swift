import PouchData
import PouchEntities
import PouchNetwork
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LongLifeTests {
    /// A handler that grew by a wrapping with each call would have used up the thread's stack by then.
    @Test func `the last of many calls costs no more than the first`() async throws {
        let page = NetworkResponse.json(Page<Season>(items: []))
        let data = DataManager(service: try makeService(over: StubTransport { _ in page }))
        let told = Mutex(0)
        data.onContact { _ in told.withLock { $0 += 1 } }
        for _ in 0..<30_000 { _ = try await data.seasons() }
        #expect(told.withLock { $0 } == 30_000)
    }
}
