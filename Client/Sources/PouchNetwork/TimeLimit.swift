import Synchronization

/// Does the work, and ends with `.timedOut` once the time is over, or with `.cancelled` once the task is cancelled, even
/// where the work heeds neither.
func within<Value: Sendable>(
    _ limit: Duration?, on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () async throws(NetworkError) -> Value
) async throws(NetworkError) -> Value {
    guard let limit else { return try await work() }
    let race = Race<Value>()
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            let task = Task {
                do throws(NetworkError) {
                    race.end(with: .success(try await work()))
                } catch {
                    race.end(with: .failure(error))
                }
            }
            race.begin(continuation, task, clock.alarm(after: limit) { race.end(with: .failure(.timedOut)) })
        }
    } onCancel: {
        race.end(with: .failure(.cancelled))
    }
    return try result.get()
}

/// A task and an alarm of which the first to end counts.
private final class Race<Value: Sendable>: Sendable {
    typealias Ending = Result<Value, NetworkError>

    private enum State {
        case ready
        case running(CheckedContinuation<Ending, Never>, Task<Void, Never>, Alarm)
        case ended(Ending)
    }

    private let state = Mutex(State.ready)

    func begin(_ continuation: CheckedContinuation<Ending, Never>, _ task: Task<Void, Never>, _ alarm: Alarm) {
        let ended: Ending? = state.withLock { state in
            if case .ended(let ending) = state { return ending }
            state = .running(continuation, task, alarm)
            return nil
        }
        guard let ended else { return }
        task.cancel()
        alarm.cancel()
        continuation.resume(returning: ended)
    }

    func end(with ending: Ending) {
        let before = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(ending) } }
            return state
        }
        guard case .running(let continuation, let task, let alarm) = before else { return }
        task.cancel()
        alarm.cancel()
        continuation.resume(returning: ending)
    }
}
