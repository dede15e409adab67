import Dispatch

/// Runs the jobs of an actor one after another outside the cooperative pool, which must not block, as files do.
package final class FileThread: SerialExecutor {
    private let queue = DispatchQueue(label: "pouch.files")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
