import Dispatch

/// Runs jobs one after another on a dispatch queue, outside the cooperative pool: files block.
final class FileThread: SerialExecutor {
    private let queue = DispatchQueue(label: "pouch.cache", qos: .utility)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
