import Synchronization

/// A clock whose time passes only when a test says so, for any number of sleepers who sleep again and again.
final class TurnedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var lastId = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    guard !Task.isCancelled, deadline > state.now else { return true }
                    state.sleepers[id] = (deadline, continuation)
                    return false
                }
                if isOver { continuation.resume(with: Result { try Task.checkCancellation() }) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps no longer than that, then lets the time pass.
    func advance(by duration: Duration) async {
        while true {
            let due = state.withLock { state in
                let now = state.now.advanced(by: duration)
                let due = state.sleepers.filter { $0.value.deadline <= now }
                guard !due.isEmpty else { return due }
                state.now = now
                for id in due.keys { state.sleepers[id] = nil }
                return due
            }
            guard due.isEmpty else {
                for sleeper in due.values { sleeper.continuation.resume() }
                return
            }
            await Task.yield()
        }
    }
}
