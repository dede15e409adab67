import Foundation
import Synchronization

/// Runs one request and repeats it as the session's retry policy allows. It ends exactly once: with a response, an
/// error, at the timeout, or by cancellation. Later results are ignored, even those of a transport that ignores
/// cancellation.
///
///     let operation = NetworkOperation(NetworkRequest(url: url), in: NetworkSession(transport))
///     let payload = await operation.run()
public final class NetworkOperation: Sendable {
    private typealias Waiter = CheckedContinuation<NetworkPayload, Never>
    private typealias Outcome = Result<NetworkResponse, NetworkError>

    private struct State {
        var payload: NetworkPayload
        var waiters: [Waiter] = []
        var running = Running()
        /// The time since the start of the first attempt.
        var elapsed: @Sendable () -> Duration = { .zero }

        /// Whether this attempt is the last one, and neither it nor the operation has ended.
        func isRunning(_ attempt: Int) -> Bool {
            payload.endedAt == nil && payload.attempts.count == attempt && payload.attempts[attempt - 1].endedAt == nil
        }

        mutating func end(at date: Date) -> Ended {
            payload.endedAt = date
            return Ended(
                payload: payload, waiters: exchange(&waiters, with: []), running: exchange(&running, with: Running()))
        }
    }

    /// The part of the end that must run outside the lock.
    private struct Ended {
        let payload: NetworkPayload
        let waiters: [Waiter]
        let running: Running

        func report(to observe: (@Sendable (NetworkReport) -> Void)?) {
            running.stop()
            // First, so that the report precedes the result.
            observe?(NetworkReport(payload))
            for waiter in waiters { waiter.resume(returning: payload) }
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

    private let request: NetworkRequest
    private let session: NetworkSession
    private let accepts: @Sendable (_ status: Int) -> Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - request: its timeout limits each attempt.
    ///   - sending: the request to send instead, for example with credentials; nil sends the original.
    ///   - session: the transport and the rules for redirects, challenges and retries.
    ///   - accepts: returns whether a status is acceptable; any other ends the operation with `.unaccepted`.
    public init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        in session: NetworkSession,
        accepts: @escaping @Sendable (_ status: Int) -> Bool = { _ in true }
    ) {
        self.request = sending ?? request
        self.session = session
        self.accepts = accepts
        state = Mutex(State(payload: NetworkPayload(request, sending: sending, createdAt: session.now())))
    }

    /// Sends the request at the first call. Every call returns the same payload. Cancelling a task that waits here
    /// cancels the operation for all callers.
    public func run() async -> NetworkPayload {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let now = session.now()
                let (ended, first): (NetworkPayload?, Int?) = state.withLock { state in
                    guard state.payload.endedAt == nil else { return (state.payload, nil) }
                    state.waiters.append(waiter)
                    guard state.payload.attempts.isEmpty else { return (nil, nil) }
                    state.elapsed = session.clock.stopwatch()
                    return (nil, beginAttempt(&state, at: now))
                }
                if let ended { waiter.resume(returning: ended) }
                if let first { start(attempt: first) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the operation with `.cancelled`, unless it has already ended. May be called before `run` and from any
    /// thread.
    public func cancel() {
        let now = session.now()
        let ended: Ended? = state.withLock { state in
            guard state.payload.endedAt == nil else { return nil }
            state.payload.error = .cancelled
            return state.end(at: now)
        }
        ended?.report(to: session.options.observe)
    }

    /// Records the start of an attempt, and sets its timeout.
    ///
    /// - Returns: the number of the attempt, from 1.
    private func beginAttempt(_ state: inout State, at date: Date) -> Int {
        state.payload.attempts.append(NetworkAttempt(startedAt: date))
        let number = state.payload.attempts.count
        guard var limit = request.timeout else { return number }
        if let deadline = session.options.retries.deadline { limit = min(limit, deadline - state.elapsed()) }
        state.running.alarm = session.clock.alarm(after: limit) { [self] in
            finish(attempt: number, with: .failure(.timedOut))
        }
        return number
    }

    /// Sends the request, outside the lock, because an attempt may end before this returns.
    private func start(attempt number: Int) {
        let work: @Sendable () async -> Void = { [self] in await send(attempt: number) }
        // A retry is a queued task, because the clock that wakes it would have to wait with its other alarms.
        let task = number == 1 ? .atOnce(work) : Task(operation: work)
        let isRunning = state.withLock { state in
            guard state.isRunning(number) else { return false }
            state.running.attempt = task
            return true
        }
        if !isRunning { task.cancel() }
    }

    private func send(attempt number: Int) async {
        guard state.withLock({ $0.isRunning(number) }) else { return }
        do throws(NetworkError) {
            if session.options.observe != nil, let size = await request.upload?.size() {
                state.withLock { $0.payload.fileSize = size }
            }
            let response = try await session.exchange(request)
            change(attempt: number) { [now = session.now()] in $0.headAt = now }
            let data = try await response.body.collected(upTo: session.bodyLimit) { count in
                change(attempt: number) { $0.receivedBytes += count }
            }
            let whole = NetworkResponse(status: response.status, headers: response.headers, data: data)
            finish(attempt: number, with: .success(whole))
        } catch {
            finish(attempt: number, with: .failure(error))
        }
    }

    /// Records the progress of an attempt, unless it has ended.
    private func change(attempt number: Int, _ change: (inout NetworkAttempt) -> Void) {
        state.withLock { state in
            if state.isRunning(number) { state.payload.changeLastAttempt(change) }
        }
    }

    /// Ends the operation, or starts the pause before the next attempt.
    private func finish(attempt number: Int, with outcome: Outcome) {
        // Outside the lock, because these closures may call `cancel`, which takes it.
        let isAccepted = (try? outcome.get()).map { accepts($0.status) } ?? true
        let now = session.now()
        let drawn = session.options.retries.pause(after: outcome, of: request, failures: number, now: now)
        let (paused, ended): (Running?, Ended?) = state.withLock { state in
            guard state.isRunning(number) else { return (nil, nil) }
            state.payload.changeLastAttempt { $0.end(with: outcome, at: now) }
            if let pause = pause(drawn, after: outcome, state) {
                let running = exchange(&state.running, with: Running())
                state.running.alarm = session.clock.alarm(after: pause) { [self] in startNextAttempt(after: number) }
                return (running, nil)
            }
            switch outcome {
            case .success(let response):
                state.payload.response = response
                if !isAccepted { state.payload.error = .unaccepted(status: response.status) }
            case .failure(let error): state.payload.error = error
            }
            return (nil, state.end(at: now))
        }
        paused?.stop()
        ended?.report(to: session.options.observe)
    }

    private func startNextAttempt(after number: Int) {
        let now = session.now()
        let next: Int? = state.withLock { state in
            guard state.payload.endedAt == nil, state.payload.attempts.count == number else { return nil }
            return beginAttempt(&state, at: now)
        }
        if let next { start(attempt: next) }
    }

    /// The drawn pause, unless the deadline or the budget forbids it.
    private func pause(_ drawn: Duration?, after outcome: Outcome, _ state: State) -> Duration? {
        var pause = drawn
        if let drawn, let deadline = session.options.retries.deadline, state.elapsed() + drawn >= deadline {
            pause = nil
        }
        guard let budget = session.retryBudget else { return pause }
        if pause != nil { return budget.withdraw() ? pause : nil }
        if case .success = outcome, !session.options.retries.isTransient(outcome) { budget.deposit() }
        return nil
    }
}

extension Task where Success == Void, Failure == Never {
    /// Runs the work on this thread until it first suspends, if the system supports it; otherwise as a queued task. A
    /// queued task costs a thread switch, which is a large part of the cost of a short request.
    fileprivate static func atOnce(_ work: @escaping @Sendable () async -> Void) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            .immediate(operation: work)
        } else {
            Task(operation: work)
        }
    }
}

extension Clock where Duration == Swift.Duration {
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

extension NetworkAttempt {
    fileprivate mutating func end(with result: Result<NetworkResponse, NetworkError>, at date: Date) {
        endedAt = date
        switch result {
        case .success(let response): outcome = .answered(status: response.status)
        case .failure(let error): outcome = .failed(error)
        }
    }
}
