/// A session store whose operations run one at a time, in the order in which they were asked for: what it holds in the
/// end is what was asked for last. None is cut short when the task that asked is cancelled.
public struct SessionStoreQueue {
    private let store: any SessionStore
    private var last: Task<Void, Never>?

    public init(_ store: any SessionStore) {
        self.store = store
    }

    /// - Returns: what becomes of the operation.
    public mutating func add<Value: Sendable>(
        _ operation: @escaping @Sendable (any SessionStore) async throws -> Value
    ) -> Task<Value, any Error> {
        let task = Task { [store, last] in
            await last?.value
            return try await operation(store)
        }
        last = Task { _ = await task.result }
        return task
    }
}
