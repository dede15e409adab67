import Synchronization

/// A continuous clock for sleeps that are nearly always cancelled, such as timeouts. ContinuousClock uses about 700
/// bytes for each sleep until its deadline, cancelled or not: with timeouts of a minute, that is 40 MB for a thousand
/// requests a second. Here all sleeps share one timer, and a cancelled sleep frees its memory.
public final class TimeoutClock: Clock {
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        let deadline: Instant
        let wake: @Sendable (_ isTime: Bool) -> Void
    }

    private struct State {
        var sleepers: [UInt64: Sleeper] = [:]
        /// The time at which the timer fires: the earliest deadline of all sleepers, or earlier.
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
                // The task may have been cancelled before the sleeper was added.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    fileprivate func alarm(at deadline: Instant, _ ring: @escaping @Sendable () -> Void) -> Alarm {
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

    /// Starts a timer that is never cancelled: if an earlier one was started since, or all sleepers were cancelled, it
    /// fires without effect.
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

// MARK: - Alarms

/// A scheduled closure that can be cancelled.
struct Alarm: Sendable {
    /// Has no effect once the alarm has rung.
    let cancel: @Sendable () -> Void
}

extension Clock where Duration == Swift.Duration {
    /// - Parameter ring: called from another task, so the caller of this method may hold a lock that `ring` acquires.
    func alarm(after pause: Duration, _ ring: @escaping @Sendable () -> Void) -> Alarm {
        // Any other clock costs a task for each alarm.
        if let clock = self as? TimeoutClock { return clock.alarm(at: clock.now.advanced(by: pause), ring) }
        let task = Task {
            if (try? await sleep(for: pause)) != nil { ring() }
        }
        return Alarm { task.cancel() }
    }
}

// MARK: - Time limits

/// Runs the work until it ends, the limit is reached (`.timedOut`) or the task is cancelled (`.cancelled`), even if the
/// work ignores cancellation. Without a limit the work runs alone.
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
            let alarm = clock.alarm(after: limit) { race.end(with: .failure(.timedOut)) }
            race.start { outcome in
                task.cancel()
                alarm.cancel()
                continuation.resume(returning: outcome)
            }
        }
    } onCancel: {
        race.end(with: .failure(.cancelled))
    }
    return try result.get()
}

/// Work, an alarm and a cancellation. The first of them to end determines the result.
private final class Race<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, NetworkError>

    private enum State {
        case ready
        case running(@Sendable (Outcome) -> Void)
        case ended(Outcome)
    }

    private let state = Mutex(State.ready)

    /// - Parameter finish: called once with the result, at once if the race has already ended.
    func start(_ finish: @escaping @Sendable (Outcome) -> Void) {
        let ended: Outcome? = state.withLock { state in
            if case .ended(let outcome) = state { return outcome }
            state = .running(finish)
            return nil
        }
        if let ended { finish(ended) }
    }

    func end(with outcome: Outcome) {
        let before = state.withLock { state in
            defer { if case .ended = state {} else { state = .ended(outcome) } }
            return state
        }
        if case .running(let finish) = before { finish(outcome) }
    }
}
