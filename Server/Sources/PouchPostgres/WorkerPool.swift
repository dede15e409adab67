import Foundation
import PouchDomain
import PouchStorage
import Synchronization

/// Lends workers to transactions in the order of their requests. The number of waiting transactions and their time are
/// limited.
final class WorkerPool: Sendable {
    private let size: Int
    private let waitingBound: Int
    private let waitingTime: Duration
    private let state: Mutex<State>

    private struct State {
        /// The idle workers, the most recently used one last, so that light load opens few connections.
        var idle: [PostgresWorker]
        var waiters: [Waiter] = []
        var lastId = 0
        /// Whether a check for expired waiters is scheduled.
        var isWatched = false
        var isClosed = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private struct Waiter {
        let id: Int
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<PostgresWorker, any Error>
    }

    /// - Parameter onCommit: receives the notifications of each transaction for listeners in this process.
    init(_ address: PostgresAddress, onCommit: @escaping @Sendable ([String]) -> Void) {
        size = max(1, address.connections)
        waitingBound = address.waitingBound
        waitingTime = address.waitingTime
        state = Mutex(State(idle: (0..<size).map { _ in PostgresWorker(address, onCommit: onCommit) }))
    }

    /// - Throws: `OverloadError` when too many transactions wait, or the wait is too long; `CancellationError`.
    func use<Value: Sendable>(_ body: (PostgresWorker) async throws -> Value) async throws -> Value {
        let worker = try await lease()
        defer { release(worker) }
        return try await body(worker)
    }

    /// Waits until no transaction uses or waits for a worker. Later transactions are refused.
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

    /// All waiters have the same time limit, so the first expires first.
    private func watch(_ state: inout State) {
        guard !state.isWatched, let first = state.waiters.first else { return }
        state.isWatched = true
        let delay = (first.deadline - .now) / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + max(0, delay)) { self.expireWaiters() }
    }

    private func expireWaiters() {
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

/// A thread with a connection, which is opened on demand and reopened after a loss. `@unchecked Sendable`: the session
/// is used only on the queue.
final class PostgresWorker: @unchecked Sendable {
    private let address: PostgresAddress
    private let onCommit: @Sendable ([String]) -> Void
    private let queue = DispatchQueue(label: "pouch.postgres")
    private var session: PostgresSession?

    init(_ address: PostgresAddress, onCommit: @escaping @Sendable ([String]) -> Void) {
        self.address = address
        self.onCommit = onCommit
    }

    /// Runs a transaction once, and again if the connection was lost before the commit.
    ///
    /// - Parameter isolation: nil for a transaction that only reads.
    func transaction<Value: Sendable>(
        _ isolation: Isolation?, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(
                    with: Result {
                        defer { if self.session?.isLost == true { self.session = nil } }
                        do {
                            return try self.attempt(isolation, body)
                        } catch let error as PostgresError {
                            // Connections that were idle when the server restarted are all lost.
                            guard case .reconnect = error.remedy else { throw error }
                            return try self.attempt(isolation, body)
                        }
                    })
            }
        }
    }

    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.session = nil
                continuation.resume()
            }
        }
    }

    private func attempt<Value>(_ isolation: Isolation?, _ body: (any SQLConnection) throws -> Value) throws -> Value {
        let session = try self.session ?? PostgresSession(address)
        self.session = session
        session.begin(isolation)
        do {
            let value = try body(session)
            // Even if the body caught the error: the server has aborted the transaction.
            if let failure = session.failure, isolation != nil || failure.isRemediable { throw failure }
            guard isolation != nil else {
                session.endReading()
                return value
            }
            try session.commit()
            onCommit(session.ownNotifications)
            return value
        } catch {
            let failure = session.failure
            session.rollback()
            if let error = failure ?? error as? PostgresError, case .reconnect = error.remedy {
                self.session = nil
            }
            // An error that another attempt may avoid takes precedence over the body's error.
            if let failure, failure.isRemediable { throw failure }
            throw error
        }
    }
}

extension PostgresError {
    fileprivate var isRemediable: Bool {
        if case .none = remedy { false } else { true }
    }
}
