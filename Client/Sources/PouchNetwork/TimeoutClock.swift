import Synchronization

/// The continuous clock, for sleeps of which nearly all are cancelled, as timeouts are.
///
/// ContinuousClock keeps about 700 bytes for each sleep until its time has come, cancelled or not: with timeouts of a
/// minute that is 40 MB for every thousand requests a second. Here all that sleep share one alarm, and whoever is
/// cancelled leaves nothing behind.
public final class TimeoutClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var nextId: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
        /// The time of the next alarm; that of no sleeper is earlier.
        var alarm: Instant?
    }

    private let state = Mutex(State())

    public init() {}

    public var now: Instant { .now }
    public var minimumResolution: Duration { ContinuousClock().minimumResolution }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isCancelled, alarm): (Bool, Instant?) = state.withLock { state in
                    guard !Task.isCancelled else { return (true, nil) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    if let alarm = state.alarm, alarm <= deadline { return (false, nil) }
                    state.alarm = deadline
                    return (false, deadline)
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                if let alarm { set(alarm) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Nobody cancels an alarm: it rings in vain when an earlier one was set, or when all have gone.
    private func set(_ alarm: Instant) {
        Task.detached { [weak self] in
            try? await ContinuousClock().sleep(until: alarm)
            self?.ring(alarm)
        }
    }

    private func ring(_ alarm: Instant) {
        let now = now
        let (due, next): ([CheckedContinuation<Void, any Error>], Instant?) = state.withLock { state in
            guard state.alarm == alarm else { return ([], nil) }
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            state.alarm = state.sleepers.values.map(\.deadline).min()
            return (due.values.map(\.continuation), state.alarm)
        }
        for continuation in due { continuation.resume() }
        if let next { set(next) }
    }
}
