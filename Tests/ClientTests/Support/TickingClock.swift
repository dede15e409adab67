import Synchronization

/// A clock on which whoever sleeps wakes when the test says so; then the time is the latest for which anybody waited.
final class TickingClock: Clock {
    typealias Instant = ManualClock.Instant

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var nextId = 0
        var sleepers: [Int: Sleeper] = [:]
        var slept: [Duration] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    /// For how long everybody wanted to sleep so far.
    var slept: [Duration] { state.withLock { $0.slept } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let ready = state.withLock { state in
                    guard !Task.isCancelled else { return nil as [CheckedContinuation<Void, Never>]? }
                    state.slept.append(state.now.duration(to: deadline))
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    let ready = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return ready
                }
                guard let ready else { return continuation.resume(throwing: CancellationError()) }
                for watcher in ready { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until that many sleep.
    func asleep(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Waits until that many sleep, then wakes them all.
    func tick(_ count: Int = 1) async {
        await asleep(count)
        let woken = state.withLock { state in
            let woken = state.sleepers.values
            state.sleepers = [:]
            state.now = woken.map(\.deadline).max() ?? state.now
            return Array(woken)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
