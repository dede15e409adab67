import Foundation
import Synchronization

/// Runs one request, again where the session's retry policy says so. It ends exactly once: with an answer, an error, at
/// the timeout, or when it is cancelled.
///
/// Whichever comes first counts; what arrives later is dropped, even from a transport that ignores cancellation.
public final class NetworkOperation: Sendable {
    private typealias Waiter = CheckedContinuation<NetworkPayload, Never>
    private typealias Ending = Result<NetworkResponse, NetworkError>

    private struct Run {
        var payload: NetworkPayload
        var waiters: [Waiter]
        let elapsed: @Sendable () -> Duration
        /// Those of the attempt, or of the pause before the next.
        var tasks: [Task<Void, Never>] = []
    }

    private enum State {
        case ready(NetworkPayload)
        case running(Run)
        case ended(NetworkPayload)
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
            .ready(
                NetworkPayload(originalRequest: request, sentRequest: sending ?? request, createdAt: session.now())))
    }

    /// Sends the request at the first call; every call answers with the same payload.
    ///
    /// Cancelling a task that waits here cancels the operation for all.
    public func run() async -> NetworkPayload {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let ended = state.withLock { state in
                    enter(waiter, &state)
                }
                if let ended { waiter.resume(returning: ended) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the operation with `.cancelled`, unless it has ended already. May come before `run`, from any thread.
    public func cancel() {
        let run: Run? = state.withLock { state in
            let run: Run?
            var payload: NetworkPayload
            switch state {
            case .ready(let ready): (run, payload) = (nil, ready)
            case .running(let running): (run, payload) = (running, running.payload)
            case .ended: return nil
            }
            payload.error = .cancelled
            payload.endedAt = session.now()
            state = .ended(payload)
            guard var run else { return nil }
            run.payload = payload
            return run
        }
        run.map(Self.tell)
    }

    /// - Returns: the payload of an operation that has ended; otherwise the waiter is kept.
    private func enter(_ waiter: Waiter, _ state: inout State) -> NetworkPayload? {
        switch state {
        case .ready(let payload):
            var run = Run(payload: payload, waiters: [waiter], elapsed: session.clock.stopwatch())
            begin(&run)
            run.payload.startedAt = run.payload.attempts.first?.startedAt
            state = .running(run)
            return nil
        case .running(var run):
            run.waiters.append(waiter)
            state = .running(run)
            return nil
        case .ended(let payload):
            return payload
        }
    }

    private func begin(_ run: inout Run) {
        run.payload.attempts.append(NetworkAttempt(startedAt: session.now()))
        let number = run.payload.attempts.count
        let request = run.payload.sentRequest
        run.tasks = [
            Task { [session] in
                do throws(NetworkError) {
                    let response = try await session.exchange(request)
                    end(attempt: number, with: .success(try await response.collected(upTo: session.bodyLimit)))
                } catch {
                    end(attempt: number, with: .failure(error))
                }
            }
        ]
        guard var limit = request.timeout else { return }
        if let deadline = session.retries.deadline { limit = min(limit, deadline - run.elapsed()) }
        run.tasks.append(
            Task { [clock = session.clock, limit] in
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                end(attempt: number, with: .failure(.timedOut))
            }
        )
    }

    /// Ends the operation, or begins the pause before the next attempt.
    private func end(attempt number: Int, with ending: Ending) {
        let (done, tasks): (Run?, [Task<Void, Never>]) = state.withLock { state in
            guard case .running(var run) = state, run.payload.attempts.count == number,
                run.payload.attempts[number - 1].endedAt == nil
            else { return (nil, []) }
            let now = session.now()
            run.payload.attempts[number - 1].end(with: ending, at: now)
            let tasks = run.tasks
            if let pause = pause(after: ending, of: run) {
                run.tasks = [
                    Task { [clock = session.clock] in
                        guard (try? await clock.sleep(for: pause)) != nil else { return }
                        beginNext(after: number)
                    }
                ]
                state = .running(run)
                return (nil, tasks)
            }
            switch ending {
            case .success(let response):
                run.payload.response = response
                if !accepts(response.status) { run.payload.error = .unaccepted(status: response.status) }
            case .failure(let error):
                run.payload.error = error
            }
            run.payload.endedAt = now
            state = .ended(run.payload)
            return (run, [])
        }
        for task in tasks { task.cancel() }
        done.map(Self.tell)
    }

    private func beginNext(after number: Int) {
        state.withLock { state in
            guard case .running(var run) = state, run.payload.attempts.count == number else { return }
            begin(&run)
            state = .running(run)
        }
    }

    private func pause(after ending: Ending, of run: Run) -> Duration? {
        var pause = session.retries.pause(
            after: ending, of: run.payload.sentRequest, failures: run.payload.attempts.count, now: session.now())
        if let drawn = pause, let deadline = session.retries.deadline, run.elapsed() + drawn >= deadline {
            pause = nil
        }
        guard let budget = session.retryBudget else { return pause }
        if pause != nil { return budget.withdraw() ? pause : nil }
        if case .success = ending, !session.retries.mayPass(ending) { budget.deposit() }
        return nil
    }

    private static func tell(_ run: Run) {
        for task in run.tasks { task.cancel() }
        for waiter in run.waiters { waiter.resume(returning: run.payload) }
    }
}

extension NetworkOperation {
    /// One attempt over a bare transport.
    public convenience init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        over transport: any Transport,
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        self.init(request, sending: sending, in: NetworkSession(transport, clock: clock))
    }
}

extension Clock where Duration == Swift.Duration {
    /// Tells how much time has passed since this call.
    fileprivate func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
