import Foundation
import Synchronization

/// Runs one request, once. It ends exactly once: with an answer, an error, at the timeout, or when it is cancelled.
///
/// Whichever comes first counts; what arrives later is dropped, even from a transport that ignores cancellation.
public final class NetworkOperation: Sendable {
    private typealias Waiter = CheckedContinuation<NetworkPayload, Never>

    private enum State {
        case ready(NetworkPayload)
        case running(NetworkPayload, [Task<Void, Never>], waiters: [Waiter])
        case ended(NetworkPayload)
    }

    private let transport: any Transport
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// - Parameters:
    ///   - request: what was asked for.
    ///   - sending: what goes to the transport in its place, as with credentials added; nil sends the request itself.
    ///   - clock: measures the timeout.
    public init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        over transport: any Transport,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.transport = transport
        self.clock = clock
        state = Mutex(.ready(NetworkPayload(originalRequest: request, sentRequest: sending ?? request)))
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
        end(with: .failure(.cancelled))
    }

    /// - Returns: the payload of an operation that has ended; otherwise the waiter is kept.
    private func enter(_ waiter: Waiter, _ state: inout State) -> NetworkPayload? {
        switch state {
        case .ready(var payload):
            payload.startedAt = Date()
            state = .running(payload, start(payload.sentRequest), waiters: [waiter])
            return nil
        case .running(let payload, let tasks, let waiters):
            state = .running(payload, tasks, waiters: waiters + [waiter])
            return nil
        case .ended(let payload):
            return payload
        }
    }

    private func start(_ request: NetworkRequest) -> [Task<Void, Never>] {
        var tasks = [
            Task {
                do throws(NetworkError) {
                    end(with: .success(try await transport.send(request)))
                } catch {
                    end(with: .failure(error))
                }
            }
        ]
        if let timeout = request.timeout {
            tasks.append(
                Task {
                    guard (try? await clock.sleep(for: timeout)) != nil else { return }
                    end(with: .failure(.timedOut))
                }
            )
        }
        return tasks
    }

    private func end(with result: Result<NetworkResponse, NetworkError>) {
        let ending: (payload: NetworkPayload, tasks: [Task<Void, Never>], waiters: [Waiter])? = state.withLock {
            state in
            var payload: NetworkPayload
            var tasks: [Task<Void, Never>] = []
            var waiters: [Waiter] = []
            switch state {
            case .ready(let ready): payload = ready
            case .running(let running, let runningTasks, let all):
                (payload, tasks, waiters) = (running, runningTasks, all)
            case .ended: return nil
            }
            payload.endedAt = Date()
            switch result {
            case .success(let response): payload.response = response
            case .failure(let error): payload.error = error
            }
            state = .ended(payload)
            return (payload, tasks, waiters)
        }
        guard let ending else { return }
        for task in ending.tasks { task.cancel() }
        for waiter in ending.waiters { waiter.resume(returning: ending.payload) }
    }
}
