import Dispatch
import PouchDomain
import PouchStorage

/// A transaction that stays open after its statements until the test rolls it back. On a database with one writer all
/// other transactions wait for it.
struct HeldTransaction {
    private struct RolledBack: Error {}

    private let started: AsyncStream<Never>
    private let end = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    init(_ store: ShopDatabase, _ body: @escaping @Sendable (ShopDatabase.Transaction) throws -> Void) {
        let (started, starting) = AsyncStream<Never>.makeStream()
        self.started = started
        task = Task { [end] in
            try await store.write(.readCommitted) { repositories in
                try body(repositories)
                starting.finish()
                end.wait()
                throw RolledBack()
            }
        }
    }

    func waitForStart() async {
        for await _ in started {}
    }

    /// Runs the work, and rolls the transaction back if it fails, so that no other transaction waits forever.
    func during(_ work: () async throws -> Void) async throws {
        do { try await work() } catch {
            await rollBack()
            throw error
        }
    }

    func rollBack() async {
        end.signal()
        _ = await task.result
    }
}

extension TestShop {
    /// The number of database sessions that wait for a lock, on PostgreSQL.
    func waitingSessions() async throws -> Int {
        try await rows(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count
    }
}
