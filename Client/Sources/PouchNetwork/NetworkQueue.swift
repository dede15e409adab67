import Foundation
import Synchronization

/// Limits the number of concurrent requests. The others wait in the order of their tasks' priority, then of their
/// arrival.
///
///     let queue = NetworkQueue(limit: .adaptive(2...16))
///     let payload = await queue.run(NetworkOperation(NetworkRequest(url: url), in: session))
public final class NetworkQueue: Sendable {
    private struct Waiter {
        let id: UInt64
        let priority: TaskPriority
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var limit: Int
        /// nil for a fixed limit.
        var adaptive: AdaptiveLimit?
        var running = 0
        var nextId: UInt64 = 0
        /// The next waiter to run comes first.
        var waiting: [Waiter] = []

        mutating func takePlace() -> Bool {
            guard running < limit else { return false }
            running += 1
            return true
        }

        mutating func measure(_ payload: NetworkPayload) {
            adaptive?.record(payload, running: running)
            if let adaptive { limit = adaptive.value }
        }

        /// Frees a place, and removes the waiters that run next.
        mutating func leave() -> [Waiter] {
            running -= 1
            let next = waiting.prefix(max(0, limit - running))
            running += next.count
            waiting.removeFirst(next.count)
            return Array(next)
        }
    }

    private let state: Mutex<State>

    public init(limit: RequestLimit) {
        switch limit {
        case .fixed(let limit): state = Mutex(State(limit: max(1, limit)))
        case .adaptive(let bounds):
            let adaptive = AdaptiveLimit(bounds)
            state = Mutex(State(limit: adaptive.value, adaptive: adaptive))
        }
    }

    /// The current maximum number of concurrent requests.
    public var limit: Int { state.withLock { $0.limit } }

    /// Runs the operation as soon as a place is free. If the task is cancelled while the operation waits, the operation
    /// ends as cancelled and sends nothing.
    public func run(_ operation: NetworkOperation) async -> NetworkPayload {
        guard await enter() else {
            operation.cancel()
            return await operation.run()
        }
        let payload = await operation.run()
        leave(after: payload)
        return payload
    }

    /// Runs the work, such as a download, as soon as a place is free.
    ///
    /// - Returns: nil if the task is cancelled while the work waits. The work then does not start.
    package func run<Value, Failure>(_ work: () async throws(Failure) -> Value) async throws(Failure) -> Value? {
        guard await enter() else { return nil }
        defer { leave() }
        return try await work()
    }

    private func enter() async -> Bool {
        let id: UInt64? = state.withLock { state in
            if !Task.isCancelled, state.takePlace() { return nil }
            state.nextId += 1
            return state.nextId
        }
        guard let id else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let admitted: Bool? = state.withLock { state in
                    if Task.isCancelled { return false }
                    if state.takePlace() { return true }
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

    /// - Parameter payload: the payload of the operation that ended, for an adaptive limit.
    private func leave(after payload: NetworkPayload? = nil) {
        let next = state.withLock { state in
            if let payload { state.measure(payload) }
            return state.leave()
        }
        for waiter in next { waiter.continuation.resume(returning: true) }
    }
}
