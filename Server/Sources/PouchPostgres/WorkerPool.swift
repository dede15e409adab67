import Foundation
import PouchDomain
import Synchronization

/// Lends workers to transactions, in the order in which they asked. How many may wait, and how long, is bounded.
final class WorkerPool: Sendable {
    private let size: Int
    private let waitingBound: Int
    private let waitingTime: Duration
    private let state: Mutex<State>

    private struct State {
        /// The one that was used last comes first, so that few connections are made when few are needed.
        var idle: [PostgresWorker]
        var waiters: [Waiter] = []
        var lastId = 0
        /// Somebody will look for those who waited too long.
        var isWatched = false
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private struct Waiter {
        let id: Int
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<PostgresWorker, any Error>
    }

    init(_ address: PostgresAddress) {
        size = max(1, address.connections)
        waitingBound = address.waitingBound
        waitingTime = address.waitingTime
        state = Mutex(State(idle: (0..<size).map { _ in PostgresWorker(address) }))
    }

    /// - Throws: `OverloadError` when too many wait, or it took too long; `CancellationError`.
    func use<Value: Sendable>(_ body: (PostgresWorker) async throws -> Value) async throws -> Value {
        let worker = try await lease()
        defer { release(worker) }
        return try await body(worker)
    }

    /// Waits until nobody has a worker or waits for one. Later ones are refused.
    func close() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                guard state.idle.count < size else { return true }
                state.closers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
        for worker in state.withLock({ $0.idle }) { await worker.close() }
    }

    private func lease() async throws -> PostgresWorker {
        let id = state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<PostgresWorker, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isClosed { return .failure(UnavailableError(reason: "the database is closed")) }
                    if let worker = state.idle.popLast() { return .success(worker) }
                    guard state.waiters.count < waitingBound else {
                        return .failure(OverloadError(retryAfterSeconds: 1))
                    }
                    state.waiters.append(
                        Waiter(id: id, deadline: .now + waitingTime, continuation: continuation))
                    watch(&state)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func release(_ worker: PostgresWorker) {
        let (next, closers) = state.withLock { state -> (Waiter?, [CheckedContinuation<Void, Never>]) in
            if !state.waiters.isEmpty { return (state.waiters.removeFirst(), []) }
            state.idle.append(worker)
            guard state.idle.count == size else { return (nil, []) }
            defer { state.closers = [] }
            return (nil, state.closers)
        }
        next?.continuation.resume(returning: worker)
        for closer in closers { closer.resume() }
    }

    /// All wait equally long, so the first is the first whose time is over.
    private func watch(_ state: inout State) {
        guard !state.isWatched, let first = state.waiters.first else { return }
        state.isWatched = true
        let delay = (first.deadline - .now) / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, delay)) { self.sendAway() }
    }

    private func sendAway() {
        let late = state.withLock { state in
            let count = state.waiters.prefix { $0.deadline <= .now }.count
            defer {
                state.waiters.removeFirst(count)
                state.isWatched = false
                watch(&state)
            }
            return state.waiters.prefix(count)
        }
        for waiter in late { waiter.continuation.resume(throwing: OverloadError(retryAfterSeconds: 1)) }
    }
}
