/// Does equal work once for all who ask for it at the same time.
///
/// An asker that is cancelled leaves the others alone; when the last one has gone, the work is cancelled.
actor SharedWork<Key: Hashable & Sendable, Value: Sendable> {
    private typealias Waiter = CheckedContinuation<Value?, Never>

    private struct Run {
        let id: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter]
    }

    private var nextId: UInt64 = 0
    private var runs: [Key: Run] = [:]

    /// - Returns: nil when the asker was cancelled before the work had ended.
    func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        nextId += 1
        let id = nextId
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                guard !Task.isCancelled else { return waiter.resume(returning: nil) }
                runs[key, default: begin(key, id, work)].waiters[id] = waiter
            }
        } onCancel: {
            Task { await leave(key, id) }
        }
    }

    private func begin(_ key: Key, _ id: UInt64, _ work: @escaping @Sendable () async -> Value) -> Run {
        Run(id: id, task: Task { end(key, id, with: await work()) }, waiters: [:])
    }

    private func leave(_ key: Key, _ id: UInt64) {
        guard let waiter = runs[key]?.waiters.removeValue(forKey: id) else { return }
        if runs[key]?.waiters.isEmpty == true { runs.removeValue(forKey: key)?.task.cancel() }
        waiter.resume(returning: nil)
    }

    private func end(_ key: Key, _ id: UInt64, with value: Value) {
        // The work may have been given up, and begun again for somebody else.
        guard runs[key]?.id == id, let run = runs.removeValue(forKey: key) else { return }
        for waiter in run.waiters.values { waiter.resume(returning: value) }
    }
}
