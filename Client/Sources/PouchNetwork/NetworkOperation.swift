import Foundation
import Synchronization

/// Runs one request and repeats it as the session's retry policy allows. It ends exactly once: with a response, an
/// error, at the timeout, or by cancellation. Later results are dropped, even those of a transport that ignores
/// cancellation.
///
///     let operation = NetworkOperation(NetworkRequest(url: url), in: NetworkSession(transport))
///     let payload = await operation.run()
public final class NetworkOperation: Sendable {
    private typealias Waiter = CheckedContinuation<NetworkPayload, Never>
    private typealias Outcome = Result<NetworkResponse, NetworkError>
    /// The part of a change that must run outside the lock.
    private typealias Completion = @Sendable () -> Void

    private struct State {
        var payload: NetworkPayload
        var waiters: [Waiter] = []
        var running = Running()
        /// The time since the start of the first attempt.
        var elapsed: @Sendable () -> Duration = { .zero }

        mutating func end(at date: Date) -> Completion {
            payload.endedAt = date
            let (running, waiters) = (exchange(&running, with: Running()), exchange(&waiters, with: []))
            return { [payload] in
                running.stop()
                for waiter in waiters { waiter.resume(returning: payload) }
            }
        }
    }

    private struct Running {
        var attempt: Task<Void, Never>?
        /// The attempt's timeout, or the end of the pause before the next attempt.
        var alarm: Alarm?

        func stop() {
            attempt?.cancel()
            alarm?.cancel()
        }
    }

    private let session: NetworkSession
    private let accepts: @Sendable (_ status: Int) -> Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - request: its timeout limits each attempt.
    ///   - sending: the request that goes to the transport instead, for example with credentials; nil sends the
    ///     original.
    ///   - session: the transport and the rules for redirects, challenges and retries.
    ///   - accepts: whether a status is acceptable; any other ends the operation with `.unaccepted`.
    public init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        in session: NetworkSession,
        accepts: @escaping @Sendable (_ status: Int) -> Bool = { _ in true }
    ) {
        self.session = session
        self.accepts = accepts
        state = Mutex(
            State(
                payload: NetworkPayload(
                    originalRequest: request, sentRequest: sending ?? request, createdAt: session.now())))
    }

    /// Sends the request at the first call. Every call returns the same payload. Cancelling a task that waits here
    /// cancels the operation for all callers.
    public func run() async -> NetworkPayload {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let ended: NetworkPayload? = state.withLock { state in
                    guard state.payload.endedAt == nil else { return state.payload }
                    state.waiters.append(waiter)
                    if state.payload.attempts.isEmpty {
                        state.elapsed = session.clock.stopwatch()
                        startAttempt(&state)
                        state.payload.startedAt = state.payload.attempts.first?.startedAt
                    }
                    return nil
                }
                if let ended { waiter.resume(returning: ended) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the operation with `.cancelled`, unless it has already ended. May be called before `run` and from any
    /// thread.
    public func cancel() {
        let completion: Completion? = state.withLock { state in
            guard state.payload.endedAt == nil else { return nil }
            state.payload.error = .cancelled
            return state.end(at: session.now())
        }
        completion?()
    }

    private func startAttempt(_ state: inout State) {
        state.payload.attempts.append(NetworkAttempt(startedAt: session.now()))
        let number = state.payload.attempts.count
        let request = state.payload.sentRequest
        state.running.attempt = Task { [session] in
            do throws(NetworkError) {
                let response = try await session.exchange(request)
                finish(attempt: number, with: .success(try await response.collected(upTo: session.bodyLimit)))
            } catch {
                finish(attempt: number, with: .failure(error))
            }
        }
        guard var limit = request.timeout else { return }
        if let deadline = session.retries.deadline { limit = min(limit, deadline - state.elapsed()) }
        state.running.alarm = session.clock.alarm(after: limit) { [self] in
            finish(attempt: number, with: .failure(.timedOut))
        }
    }

    /// Ends the operation, or starts the pause before the next attempt.
    private func finish(attempt number: Int, with outcome: Outcome) {
        // Outside the lock, because the closure may call `cancel`, which takes it.
        let isAccepted = (try? outcome.get()).map { accepts($0.status) } ?? true
        let completion: Completion? = state.withLock { state in
            guard state.payload.endedAt == nil, state.payload.attempts.count == number,
                state.payload.attempts[number - 1].endedAt == nil
            else { return nil }
            let now = session.now()
            state.payload.attempts[number - 1].end(with: outcome, at: now)
            if let pause = pause(after: outcome, state) {
                let running = exchange(&state.running, with: Running())
                state.running.alarm = session.clock.alarm(after: pause) { [self] in startNextAttempt(after: number) }
                return { running.stop() }
            }
            switch outcome {
            case .success(let response):
                state.payload.response = response
                if !isAccepted { state.payload.error = .unaccepted(status: response.status) }
            case .failure(let error): state.payload.error = error
            }
            return state.end(at: now)
        }
        completion?()
    }

    private func startNextAttempt(after number: Int) {
        state.withLock { state in
            guard state.payload.endedAt == nil, state.payload.attempts.count == number else { return }
            startAttempt(&state)
        }
    }

    private func pause(after outcome: Outcome, _ state: State) -> Duration? {
        var pause = session.retries.pause(
            after: outcome, of: state.payload.sentRequest, failures: state.payload.attempts.count, now: session.now())
        if let drawn = pause, let deadline = session.retries.deadline, state.elapsed() + drawn >= deadline {
            pause = nil
        }
        guard let budget = session.retryBudget else { return pause }
        if pause != nil { return budget.withdraw() ? pause : nil }
        if case .success = outcome, !session.retries.mayPass(outcome) { budget.deposit() }
        return nil
    }
}

extension Clock where Duration == Swift.Duration {
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

// MARK: - The queue

/// Bounds the number of requests that run at once. The rest wait in the order of their tasks' priority, then of
/// arrival.
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

    /// Runs the operation as soon as a place is free. If the task is cancelled while the operation waits, the operation
    /// ends as cancelled and sends nothing.
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
