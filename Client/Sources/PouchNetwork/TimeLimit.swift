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
            race.begin(
                continuation,
                [
                    Task {
                        do throws(NetworkError) {
                            race.end(with: .success(try await work()))
                        } catch {
                            race.end(with: .failure(error))
                        }
                    },
                    Task {
                        guard (try? await clock.sleep(for: limit)) != nil else { return }
                        race.end(with: .failure(.timedOut))
                    },
                ])
        }
    } onCancel: {
        race.end(with: .failure(.cancelled))
    }
    return try result.get()
}

/// Several tasks of which the first to end counts.
private final class Race<Value: Sendable>: Sendable {
    typealias Ending = Result<Value, NetworkError>

    private enum State {
        case ready
        case running(CheckedContinuation<Ending, Never>, [Task<Void, Never>])
        case ended(Ending)
    }

    private let state = Mutex(State.ready)

    func begin(_ continuation: CheckedContinuation<Ending, Never>, _ tasks: [Task<Void, Never>]) {
        let ended: Ending? = state.withLock { state in
            if case .ended(let ending) = state { return ending }
            state = .running(continuation, tasks)
            return nil
        }
        guard let ended else { return }
        for task in tasks { task.cancel() }
        continuation.resume(returning: ended)
    }

    func end(with ending: Ending) {
        let before = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(ending) } }
            return state
        }
        guard case .running(let continuation, let tasks) = before else { return }
        for task in tasks { task.cancel() }
        continuation.resume(returning: ending)
    }
}
