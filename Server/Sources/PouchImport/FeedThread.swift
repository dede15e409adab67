import Dispatch
import PouchDomain
import PouchFeed

/// Runs jobs one after another on a dispatch queue, outside the cooperative pool.
final class FeedThread: SerialExecutor {
    private let queue = DispatchQueue(label: "pouch.feed")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
