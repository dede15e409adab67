import Synchronization

/// The continuous clock, for sleeps of which nearly all are cancelled, as timeouts are.
///
/// ContinuousClock keeps about 700 bytes for each sleep until its time has come, cancelled or not: with timeouts of a
/// minute that is 40 MB for every thousand requests a second. Here all that sleep share one timer, and whoever is
/// cancelled leaves nothing behind.
public final class TimeoutClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        let deadline: Instant
        let wake: @Sendable (_ isTime: Bool) -> Void
    }

    private struct State {
        var sleepers: [UInt64: Sleeper] = [:]
        /// When the timer fires next; no sleeper's deadline is earlier.
        var timer: Instant?
    }

    private let lastId = Atomic<UInt64>(0)
    private let state = Mutex(State())

    public init() {}

    public var now: Instant { .now }
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = makeId()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id, deadline) { isTime in
                    if isTime { continuation.resume() } else { continuation.resume(throwing: CancellationError()) }
                }
                // It may have come before there was anything to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Rings once it is time, without a task that waits for that.
    func alarm(at deadline: Instant, _ ring: @escaping @Sendable () -> Void) -> Alarm {
        let id = makeId()
        add(id, deadline) { isTime in
            if isTime { ring() }
        }
        return Alarm { [self] in cancel(id) }
    }

    private func makeId() -> UInt64 { lastId.wrappingAdd(1, ordering: .relaxed).newValue }

    private func add(_ id: UInt64, _ deadline: Instant, _ wake: @escaping @Sendable (_ isTime: Bool) -> Void) {
        let isFirst = state.withLock { state in
            state.sleepers[id] = Sleeper(deadline: deadline, wake: wake)
            if let timer = state.timer, timer <= deadline { return false }
            state.timer = deadline
            return true
        }
        if isFirst { startTimer(deadline) }
    }

    private func cancel(_ id: UInt64) {
        state.withLock { $0.sleepers.removeValue(forKey: id) }?.wake(false)
    }

    /// Nobody cancels it: it fires in vain when an earlier one was started, or when all have gone.
    private func startTimer(_ time: Instant) {
        Task.detached { [weak self] in
            try? await ContinuousClock().sleep(until: time)
            self?.fire(time)
        }
    }

    private func fire(_ time: Instant) {
        let now = now
        let (due, next): ([Sleeper], Instant?) = state.withLock { state in
            guard state.timer == time else { return ([], nil) }
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            state.timer = state.sleepers.values.map(\.deadline).min()
            return (Array(due.values), state.timer)
        }
        for sleeper in due { sleeper.wake(true) }
        if let next { startTimer(next) }
    }
}
