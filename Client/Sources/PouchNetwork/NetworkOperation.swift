import Foundation
import Synchronization

/// Runs one request, again where the session's retry policy says so. It ends exactly once: with an answer, an error, at
/// the timeout, or when it is cancelled.
///
/// Whichever comes first counts; what arrives later is dropped, even from a transport that ignores cancellation.
public final class NetworkOperation: Sendable {
    private typealias Waiter = CheckedContinuation<NetworkPayload, Never>
    private typealias Ending = Result<NetworkResponse, NetworkError>

    private struct State {
        var payload: NetworkPayload
        var waiters: [Waiter] = []
        var running = Running()
        /// Since the first attempt began.
        var elapsed: @Sendable () -> Duration = { .zero }

        mutating func end(at date: Date) -> End {
            payload.endedAt = date
            return End(
                running: exchange(&running, with: Running()), waiters: exchange(&waiters, with: []), payload: payload)
        }
    }

    private struct Running {
        /// The attempt.
        var work: Task<Void, Never>?
        /// Its timeout, or the end of the pause before the next.
        var alarm: Alarm?

        func stop() {
            work?.cancel()
            alarm?.cancel()
        }
    }

    /// What remains to be done outside the lock.
    private struct End {
        let running: Running
        let waiters: [Waiter]
        let payload: NetworkPayload

        func tell() {
            running.stop()
            for waiter in waiters { waiter.resume(returning: payload) }
        }
    }

    private let session: NetworkSession
    private let accepts: @Sendable (_ status: Int) -> Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - request: what was asked for. Its timeout holds for each attempt.
    ///   - sending: what goes to the transport in its place, as with credentials added; nil sends the request itself.
    ///   - session: what it is sent over, and when it is sent again.
    ///   - accepts: whether a status is an answer; one that is not ends the operation with `.unaccepted`.
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

    /// Sends the request at the first call; every call answers with the same payload.
    ///
    /// Cancelling a task that waits here cancels the operation for all.
    public func run() async -> NetworkPayload {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let ended: NetworkPayload? = state.withLock { state in
                    guard state.payload.endedAt == nil else { return state.payload }
                    state.waiters.append(waiter)
                    if state.payload.attempts.isEmpty {
                        state.elapsed = session.clock.stopwatch()
                        begin(&state)
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

    /// Ends the operation with `.cancelled`, unless it has ended already. May come before `run`, from any thread.
    public func cancel() {
        let end: End? = state.withLock { state in
            guard state.payload.endedAt == nil else { return nil }
            state.payload.error = .cancelled
            return state.end(at: session.now())
        }
        end?.tell()
    }

    private func begin(_ state: inout State) {
        state.payload.attempts.append(NetworkAttempt(startedAt: session.now()))
        let number = state.payload.attempts.count
        let request = state.payload.sentRequest
        state.running.work = Task { [session] in
            do throws(NetworkError) {
                let response = try await session.exchange(request)
                end(attempt: number, with: .success(try await response.collected(upTo: session.bodyLimit)))
            } catch {
                end(attempt: number, with: .failure(error))
            }
        }
        guard var limit = request.timeout else { return }
        if let deadline = session.retries.deadline { limit = min(limit, deadline - state.elapsed()) }
        state.running.alarm = session.clock.alarm(after: limit) { [self] in
            end(attempt: number, with: .failure(.timedOut))
        }
    }

    /// Ends the operation, or begins the pause before the next attempt.
    private func end(attempt number: Int, with ending: Ending) {
        // Outside the lock, which `cancel` takes, should the closure call it.
        let isAccepted = (try? ending.get()).map { accepts($0.status) } ?? true
        let (running, end): (Running, End?) = state.withLock { state in
            guard state.payload.endedAt == nil, state.payload.attempts.count == number,
                state.payload.attempts[number - 1].endedAt == nil
            else { return (Running(), nil) }
            let now = session.now()
            state.payload.attempts[number - 1].end(with: ending, at: now)
            if let pause = pause(after: ending, state) {
                let running = exchange(&state.running, with: Running())
                state.running.alarm = session.clock.alarm(after: pause) { [self] in beginNext(after: number) }
                return (running, nil)
            }
            switch ending {
            case .success(let response):
                state.payload.response = response
                if !isAccepted { state.payload.error = .unaccepted(status: response.status) }
            case .failure(let error):
                state.payload.error = error
            }
            return (Running(), state.end(at: now))
        }
        running.stop()
        end?.tell()
    }

    private func beginNext(after number: Int) {
        state.withLock { state in
            guard state.payload.endedAt == nil, state.payload.attempts.count == number else { return }
            begin(&state)
        }
    }

    private func pause(after ending: Ending, _ state: State) -> Duration? {
        var pause = session.retries.pause(
            after: ending, of: state.payload.sentRequest, failures: state.payload.attempts.count, now: session.now())
        if let drawn = pause, let deadline = session.retries.deadline, state.elapsed() + drawn >= deadline {
            pause = nil
        }
        guard let budget = session.retryBudget else { return pause }
        if pause != nil { return budget.withdraw() ? pause : nil }
        if case .success = ending, !session.retries.mayPass(ending) { budget.deposit() }
        return nil
    }
}

extension Clock where Duration == Swift.Duration {
    /// Tells how much time has passed since this call.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
