import Synchronization

/// Holds everybody who comes until it is opened; ignores cancellation.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, ready): (Bool, [CheckedContinuation<Void, Never>]) = state.withLock { state in
                guard !state.isOpen else { return (true, []) }
                state.held.append(continuation)
                let count = state.held.count
                let ready = state.watchers.filter { $0.count <= count }.map(\.continuation)
                state.watchers.removeAll { $0.count <= count }
                return (false, ready)
            }
            if isOpen { continuation.resume() }
            for watcher in ready { watcher.resume() }
        }
    }

    /// Waits until that many are held.
    func held(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.held.count < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
