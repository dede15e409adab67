import Foundation

/// A clock whose time passes only when a test advances it, for durations and dates:
///
///     let clock = ManualClock()
///     let pouch = Pouch(testing: shop, clock: clock)
///     let refreshing = Task { await pouch.cart.keepFresh(every: .seconds(60)) }
///     await clock.tick()   // waits until it sleeps, then lets the 60 s pass
public final class ManualClock: Clock {
    public struct Instant: InstantProtocol {
        public var offset: Duration

        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var nextId = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var slept: [Duration] = []
        var isRunning = false

        /// - Returns: the sleepers to wake.
        mutating func pass(to moment: Instant) -> [CheckedContinuation<Void, any Error>] {
            now = moment
            let due = sleepers.filter { $0.value.deadline <= moment }
            for id in due.keys { sleepers[id] = nil }
            return due.values.map(\.continuation)
        }

        /// - Returns: all sleepers, to wake.
        mutating func passToLast() -> [CheckedContinuation<Void, any Error>] {
            pass(to: sleepers.values.map(\.deadline).max() ?? now)
        }
    }

    private let state = Counted(State()) { $0.sleepers.count }

    public init() {}

    public var now: Instant { state.value.now }
    public var minimumResolution: Duration { .zero }
    /// The time of day in whole seconds, which starts at `Date.sample`.
    public var date: Date { Date.sample.addingTimeInterval(TimeInterval(now.offset.components.seconds)) }
    public var sleeperCount: Int { state.value.sleepers.count }
    /// The durations of all sleeps so far.
    public var slept: [Duration] { state.value.slept }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.change { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ending: Result<Void, any Error>? = state.change { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.slept.append(state.now.duration(to: deadline))
                    if state.isRunning { state.now = max(state.now, deadline) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = (deadline, continuation)
                    return nil
                }
                if let ending { continuation.resume(with: ending) }
            }
        } onCancel: {
            state.change { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until that many tasks sleep, or the task is cancelled, for example by a test's time limit.
    ///
    /// - Returns: the time until the first of them wakes.
    @discardableResult
    public func sleepers(_ count: Int = 1) async -> Duration {
        await state.reaches(count)
        let reached = state.value
        return reached.sleepers.values.map { reached.now.duration(to: $0.deadline) }.min() ?? .zero
    }

    /// Advances the time, without waiting for a sleeper.
    public func pass(_ duration: Duration) {
        let due = state.change { $0.pass(to: $0.now.advanced(by: duration)) }
        for continuation in due { continuation.resume() }
    }

    /// Waits for a sleeper, then advances the time.
    public func advance(by duration: Duration) async {
        await sleepers()
        pass(duration)
    }

    /// Waits until that many tasks sleep, then advances the time until the last of them wakes.
    public func tick(_ count: Int = 1) async {
        await sleepers(count)
        let due = state.change { $0.passToLast() }
        for continuation in due { continuation.resume() }
    }

    /// From now on, ends every sleep immediately.
    public func run() {
        let due = state.change { state in
            state.isRunning = true
            return state.passToLast()
        }
        for continuation in due { continuation.resume() }
    }
}
