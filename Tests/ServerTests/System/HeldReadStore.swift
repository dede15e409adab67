import PouchDomain
import Synchronization

/// A store whose first read keeps what it has read to itself until it is let go.
final class HeldReadStore: Store {
    /// Ends when the first read has read.
    let held: AsyncStream<Never>
    private let hold: AsyncStream<Never>.Continuation
    private let released: AsyncStream<Never>
    private let goOn: AsyncStream<Never>.Continuation
    private let isFirst = Mutex(true)
    private let store: any Store

    init(_ store: any Store) {
        self.store = store
        (held, hold) = AsyncStream.makeStream()
        (released, goOn) = AsyncStream.makeStream()
    }

    func release() { goOn.finish() }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let value = try await store.read(body)
        let isHeld = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isHeld {
            hold.finish()
            for await _ in released {}
        }
        return value
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        try await store.write(isolation, body)
    }
}
