import Synchronization

/// Bounds the number of requests that run at once. The rest wait in the order of their tasks' priority, then of
/// arrival.
///
/// ```swift
/// let queue = NetworkQueue(limit: 8)
/// let payload = await queue.run(NetworkOperation(request, in: session))
/// ```
public final class NetworkQueue: Sendable {
    private struct Waiter {
        let id: UInt64
        let priority: TaskPriority
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        var nextId: UInt64 = 0
        /// The next waiter to run comes first.
        var waiting: [Waiter] = []
    }

    private let state: Mutex<State>

    /// - Parameter limit: the most requests that run at once; values below 1 mean 1.
    public init(limit: Int) {
        state = Mutex(State(free: max(1, limit)))
    }

    /// Runs the operation as soon as a place is free. If the task is cancelled while it waits, the operation ends as
    /// cancelled and sends nothing.
    public func run(_ operation: NetworkOperation) async -> NetworkPayload {
        guard await enter() else {
            operation.cancel()
            return await operation.run()
        }
        defer { leave() }
        return await operation.run()
    }

    private func enter() async -> Bool {
        let id: UInt64? = state.withLock { state in
            if state.free > 0, !Task.isCancelled {
                state.free -= 1
                return nil
            }
            state.nextId += 1
            return state.nextId
        }
        guard let id else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let admitted: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    let waiter = Waiter(id: id, priority: Task.currentPriority, continuation: continuation)
                    let place = state.waiting.firstIndex { $0.priority < waiter.priority }
                    state.waiting.insert(waiter, at: place ?? state.waiting.endIndex)
                    return nil
                }
                if let admitted { continuation.resume(returning: admitted) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func leave() {
        let next: Waiter? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
