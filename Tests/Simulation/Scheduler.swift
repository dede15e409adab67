import Foundation
import SeededRandom

/// Runs all Swift tasks of the process on one thread, in an order that a seed determines.
///
/// The runtime hands over every job that it would run on its pool of threads: those of tasks, task groups and actors.
/// A task that pauses is one more thing that can go on. So the interleavings of a run follow from its seed alone.
///
/// `@unchecked Sendable`: used by the thread that calls `run` only, which `enqueue` checks.
final class Scheduler: SerialExecutor, @unchecked Sendable {
    static let shared = Scheduler()

    private enum Ready {
        case job(UnownedJob)
        /// A job of an actor whose executor this is.
        case own(UnownedJob)
        case paused(UnsafeContinuation<Void, Never>)
    }

    private var ready: [Ready] = []
    private var random = SplitMix64(seed: 0)
    private var isFinished = false
    private let thread = pthread_self()

    /// The number of jobs and pauses that a run may take; more count as a standstill.
    private static let limit = 200_000

    // MARK: The runtime's jobs

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    /// Takes over the jobs of the process. Call it once, before the first task.
    ///
    /// - Throws: `Missing` if the runtime has no such hook.
    func install() throws {
        guard let hook = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { throw Missing() }
        hook.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in Scheduler.shared.add(.job(job)) }
    }

    struct Missing: Error {}

    func enqueue(_ job: consuming ExecutorJob) { add(.own(UnownedJob(job))) }

    private func add(_ one: Ready) {
        precondition(pthread_equal(thread, pthread_self()) != 0, "A task of the simulation is on another thread.")
        ready.append(one)
    }

    // MARK: Runs

    /// Runs the closure, with all tasks that it starts, until none of them can go on.
    ///
    /// - Returns: whether the closure came to its end.
    func run(seed: UInt64, _ main: @escaping @Sendable () async -> Void) -> Bool {
        random = SplitMix64(seed: seed)
        isFinished = false
        ready = []
        Task.detached {
            await main()
            self.isFinished = true
        }
        for _ in 0..<Self.limit {
            guard !ready.isEmpty else { break }
            step()
        }
        return isFinished && ready.isEmpty
    }

    /// Lets other tasks take their steps.
    func pause() async { await withUnsafeContinuation { add(.paused($0)) } }

    private func step() {
        ready.swapAt(Int(random.next() % UInt64(ready.count)), ready.count - 1)
        switch ready.removeLast() {
        case .job(let job): job.runSynchronously(on: Self.pool)
        case .own(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .paused(let continuation):
            // Hands over the job of the task, as the last one.
            continuation.resume()
            guard case .job(let job)? = ready.popLast() else { return }
            job.runSynchronously(on: Self.pool)
        }
    }

    /// The runtime's generic executor, which has no identity, as on its own pool of threads.
    private static let pool = unsafeBitCast((0, 0) as (Int, Int), to: UnownedSerialExecutor.self)
}
