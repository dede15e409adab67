import Dispatch
import PouchDomain
import PouchStorage

/// A transaction that has done something and is not at its end, for as long as a test wants. Where transactions run one at
/// a time, all others wait for it.
struct HeldTransaction {
    private struct Undone: Error {}

    private let begun: AsyncStream<Never>
    private let end = DispatchSemaphore(value: 0)
    private let task: Task<Void, any Error>

    init(_ store: ShopDatabase, _ body: @escaping @Sendable (ShopDatabase.Transaction) throws -> Void) {
        let (begun, beginning) = AsyncStream<Never>.makeStream()
        self.begun = begun
        task = Task { [end] in
            try await store.write(.readCommitted) { repositories in
                try body(repositories)
                beginning.finish()
                end.wait()
                throw Undone()
            }
        }
    }

    func hasBegun() async {
        for await _ in begun {}
    }

    /// Lets the transaction go when the work fails, so that nobody waits for it for ever.
    func during(_ work: () async throws -> Void) async throws {
        do { try await work() } catch {
            await undo()
            throw error
        }
    }

    func undo() async {
        end.signal()
        _ = await task.result
    }
}
