import PouchDomain
import Synchronization

/// A store that is cut off after so many writes, as when the process ends there.
final class CrashingStore: Store {
    struct Crash: Error {}

    private let store: any Store
    private let left: Mutex<Int>

    init(_ store: any Store, afterWrites count: Int) {
        self.store = store
        left = Mutex(count)
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        guard left.withLock({ $0 > 0 }) else { throw Crash() }
        return try await store.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (any Repositories) throws -> Value
    ) async throws -> Value {
        let isCutOff = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isCutOff { throw Crash() }
        return try await store.write(isolation, body)
    }
}
