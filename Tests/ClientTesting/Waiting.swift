import Dispatch
import Foundation
import PouchService
import PouchTesting
import Synchronization
import Testing

/// A session store in memory that waits at gates before it saves or clears.
package actor GatedSessionStore: SessionStore {
    private var session: Data?
    private let saving: Gate?
    private let clearing: Gate?

    package init(_ session: Data?, saving: Gate? = nil, clearing: Gate? = nil) {
        self.session = session
        self.saving = saving
        self.clearing = clearing
    }

    package func load() -> Data? { session }

    package func save(_ session: Data) async {
        await saving?.pass()
        self.session = session
    }

    package func clear() async {
        await clearing?.pass()
        session = nil
    }
}

/// Runs the tasks that prefer it on one queue, so that a test can wait until all of them are suspended.
package final class SteppedExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "stepped")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Returns when every task has ended or is suspended. A task may change executors a few times before that.
    package func settle() async {
        for _ in 0..<32 {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume() }
            }
        }
    }
}

/// Waits for a condition that has no event, by checking it again and again.
///
/// - Throws: the error of `Looks`, after it is recorded for the place that waits.
package func eventually(
    isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation,
    _ isMet: () -> Bool
) async throws {
    var looks = Looks()
    while !isMet() {
        do { try await looks.pause() } catch {
            Issue.record("The condition did not hold: \(error)", sourceLocation: sourceLocation)
            throw error
        }
    }
}

/// Lets the main actor and other threads finish what they have been asked to do so far, and what follows from that.
///
/// For a test that nothing happens. What would happen instead takes fewer turns.
@MainActor
package func turnsPass(_ count: Int = 10) async {
    for _ in 0..<count { await Task.detached {}.value }
}

/// A counter for any thread.
package final class Counter: Sendable {
    private let count = Mutex(0)

    package init() {}

    package var value: Int { count.withLock { $0 } }

    @discardableResult
    package func increment() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// A list for any thread.
package final class Collector<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    package init() {}

    package var all: [Element] { elements.withLock { $0 } }

    package func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
