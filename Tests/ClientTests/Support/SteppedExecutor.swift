import Dispatch

/// Runs the tasks that prefer it on one queue, so that a test can wait until they can get no further.
final class SteppedExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "stepped")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Returns when every task either has ended or waits for something; each may change executors a few times before.
    func settle() async {
        for _ in 0..<32 {
            await withCheckedContinuation { continuation in
                queue.async { continuation.resume() }
            }
        }
    }
}
