import Synchronization

/// Does equal work once for all who ask for it at the same time.
///
/// An asker that is cancelled leaves the others alone; when the last one has gone, the work is cancelled.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value?, Never>

    private struct Run {
        let id: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: Waiter]
    }

    private struct State {
        var nextId: UInt64 = 0
        var runs: [Key: Run] = [:]
    }

    private let state = Mutex(State())

    /// - Returns: nil when the asker was cancelled before the work had ended.
    func value(for key: Key, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    if state.runs[key] == nil {
                        let task = Task { end(key, id, with: await work()) }
                        state.runs[key] = Run(id: id, task: task, waiters: [:])
                    }
                    state.runs[key]?.waiters[id] = waiter
                    return false
                }
                if isCancelled { waiter.resume(returning: nil) }
            }
        } onCancel: {
            leave(key, id)
        }
    }

    private func leave(_ key: Key, _ id: UInt64) {
        let (waiter, task): (Waiter?, Task<Void, Never>?) = state.withLock { state in
            guard let waiter = state.runs[key]?.waiters.removeValue(forKey: id) else { return (nil, nil) }
            guard state.runs[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.runs.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(returning: nil)
    }

    private func end(_ key: Key, _ id: UInt64, with value: Value) {
        let run = state.withLock { state in
            // The work may have been given up, and begun again for somebody else.
            state.runs[key]?.id == id ? state.runs.removeValue(forKey: key) : nil
        }
        for waiter in (run?.waiters ?? [:]).values { waiter.resume(returning: value) }
    }
}
