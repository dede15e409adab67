import Synchronization

/// Runs work with the same key one at a time, so that two parts of a program that watch the same object do not both
/// report it.
final class KeyedMutex<Value: Sendable>: Sendable {
    private enum Turn: Sendable {
        case own(Value?)
        case cancelled
    }

    private struct State {
        var taken: Set<String> = []
        var waiting: [(id: Int, key: String, turn: CheckedContinuation<Turn, Never>)] = []
        var lastId = 0
    }

    private let state = Mutex(State())

    /// Performs the work when it is its turn, unless the task is cancelled before.
    ///
    /// - Parameter work: receives the value of the previous work, nil if it did not wait, and returns the value for the
    ///   next.
    func take(_ key: String, _ work: (Value?) async -> Value) async {
        guard case .own(let left) = await wait(for: key) else { return }
        pass(key, await work(left))
    }

    private func wait(for key: String) async -> Turn {
        let id = state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { turn in
                let now: Turn? = state.withLock { state in
                    if Task.isCancelled { return .cancelled }
                    if state.taken.insert(key).inserted { return .own(nil) }
                    state.waiting.append((id, key, turn))
                    return nil
                }
                if let now { turn.resume(returning: now) }
            }
        } onCancel: {
            let turn = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).turn }
            }
            turn?.resume(returning: .cancelled)
        }
    }

    /// Passes the turn to the next waiter.
    private func pass(_ key: String, _ left: Value) {
        let next = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.key == key }) else {
                state.taken.remove(key)
                return nil as CheckedContinuation<Turn, Never>?
            }
            return state.waiting.remove(at: index).turn
        }
        next?.resume(returning: .own(left))
    }
}
