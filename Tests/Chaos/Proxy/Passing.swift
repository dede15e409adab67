import Synchronization

/// Lets a request wait until another one was answered.
final class Passing: Sendable {
    private struct State {
        var nextId = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Some request was answered.
    func announce() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    func next(within patience: Duration) async {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        let timer = Mutex<Task<Void, Never>?>(nil)
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting[id] = continuation }
            let task = Task {
                try? await Task.sleep(for: patience)
                state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
            }
            timer.withLock { $0 = task }
        }
        timer.withLock { $0 }?.cancel()
    }
}
