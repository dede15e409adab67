/// Runs equal work once for all concurrent callers. The cancellation of one caller does not affect the others.
actor SharedWork<Key: Hashable & Sendable, Value: Sendable> {
    private typealias Waiter = CheckedContinuation<Value?, Never>

    private struct Run {
        let id: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter]
    }

    private let endsWithoutWaiters: Bool
    private var nextId: UInt64 = 0
    private var runs: [Key: Run] = [:]

    /// - Parameter endsWithoutWaiters: whether the work is cancelled with its last waiting caller.
    init(endsWithoutWaiters: Bool = true) {
        self.endsWithoutWaiters = endsWithoutWaiters
    }

    /// - Returns: nil if the caller was cancelled before the work had ended.
    func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        nextId += 1
        let id = nextId
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                guard !Task.isCancelled else { return waiter.resume(returning: nil) }
                runs[key, default: start(key, id, work)].waiters[id] = waiter
            }
        } onCancel: {
            Task { await leave(key, id) }
        }
    }

    private func start(_ key: Key, _ id: UInt64, _ work: @escaping @Sendable () async -> Value) -> Run {
        Run(id: id, task: Task { end(key, id, with: await work()) }, waiters: [:])
    }

    private func leave(_ key: Key, _ id: UInt64) {
        guard let waiter = runs[key]?.waiters.removeValue(forKey: id) else { return }
        if endsWithoutWaiters, runs[key]?.waiters.isEmpty == true { runs.removeValue(forKey: key)?.task.cancel() }
        waiter.resume(returning: nil)
    }

    private func end(_ key: Key, _ id: UInt64, with value: Value) {
        // The run may have been cancelled, and another started for the same key.
        guard runs[key]?.id == id, let run = runs.removeValue(forKey: key) else { return }
        for waiter in run.waiters.values { waiter.resume(returning: value) }
    }
}
