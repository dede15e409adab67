import Foundation
import Synchronization

/// A clock whose time passes only when a test advances it, for durations and dates.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var nextId = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var slept: [Duration] = []
        var isRunning = false
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

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

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    /// The date, which starts at `Fixture.now`.
    var date: Date { Fixture.now.addingTimeInterval(TimeInterval(now.offset.components.seconds)) }
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }
    /// The durations of all sleeps so far.
    var slept: [Duration] { state.withLock { $0.slept } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (ending, ready): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) = state.withLock {
                    state in
                    if Task.isCancelled { return (.failure(CancellationError()), []) }
                    state.slept.append(state.now.duration(to: deadline))
                    if state.isRunning { state.now = max(state.now, deadline) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers[id] = (deadline, continuation)
                    let count = state.sleepers.count
                    defer { state.watchers.removeAll { $0.count <= count } }
                    return (nil, state.watchers.filter { $0.count <= count }.map(\.continuation))
                }
                if let ending { continuation.resume(with: ending) }
                for watcher in ready { watcher.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until that many tasks sleep.
    ///
    /// - Returns: the time until the first of them wakes.
    @discardableResult
    func sleepers(_ count: Int = 1) async -> Duration {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            state.sleepers.values.map { state.now.duration(to: $0.deadline) }.min() ?? .zero
        }
    }

    /// Advances the time, without waiting for a sleeper.
    func pass(_ duration: Duration) {
        let due = state.withLock { $0.pass(to: $0.now.advanced(by: duration)) }
        for continuation in due { continuation.resume() }
    }

    /// Waits for a sleeper, then advances the time.
    func advance(by duration: Duration) async {
        await sleepers()
        pass(duration)
    }

    /// Waits until that many tasks sleep, then advances the time until the last of them wakes.
    func tick(_ count: Int = 1) async {
        await sleepers(count)
        let due = state.withLock { $0.passToLast() }
        for continuation in due { continuation.resume() }
    }

    /// Lets the time pass by itself from now on: every sleep ends at once.
    func run() {
        let due = state.withLock { state in
            state.isRunning = true
            return state.passToLast()
        }
        for continuation in due { continuation.resume() }
    }
}
