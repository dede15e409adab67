import Dispatch
import Foundation
import PouchService
import Synchronization

/// Holds every task that passes until it is opened. Cancellation does not release a task.
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

    /// Waits until that many tasks are held.
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

/// A session store in memory that waits at gates before it saves or clears.
actor GatedSessionStore: SessionStore {
    private var session: Data?
    private let saving: Gate?
    private let clearing: Gate?

    init(_ session: Data?, saving: Gate? = nil, clearing: Gate? = nil) {
        self.session = session
        self.saving = saving
        self.clearing = clearing
    }

    func load() -> Data? { session }

    func save(_ session: Data) async {
        await saving?.pass()
        self.session = session
    }

    func clear() async {
        await clearing?.pass()
        session = nil
    }
}

/// Runs the tasks that prefer it on one queue, so that a test can wait until all of them are suspended.
final class SteppedExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "stepped")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Returns when every task has ended or is suspended. A task may change executors a few times before that.
    func settle() async {
        for _ in 0..<32 {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume() }
            }
        }
    }
}

/// Waits for a condition that has no event, by checking it again and again.
///
/// - Throws: `CancellationError`, as when the test's time limit is reached.
func eventually(isolation: isolated (any Actor)? = #isolation, _ isMet: () -> Bool) async throws {
    while !isMet() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A counter for any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() { count.withLock { $0 += 1 } }
}
