import Foundation
import Logging
import PouchDomain
import PouchStorage
import ServiceLifecycle

/// Background work of one kind. Its queue is the rows that it works on, such as the pending orders, so that an effect
/// and the work that it leaves are stored together. Any number of processes may run it.
struct Job: Sendable {
    /// The work, for the log: "settling orders".
    let name: String
    /// The least pause between two runs, for work that stays due, as while the payment provider is down.
    var pause = Duration.zero
    /// The time at which there is work, read from the store; nil for none.
    let nextDue: @Sendable (ShopDatabase.Transaction) throws -> Date?
    let run: @Sendable () async throws -> Void
}

/// Runs each job at the start, and then whenever it is due.
///
/// One transaction reads when the jobs are due: after an announced commit, after a run, when the next is due, and at
/// intervals, since a process that died announces nothing. A job that fails is tried again after a growing
/// pause; jobs do not wait for each other.
struct JobRunner: Service {
    let jobs: [Job]
    let store: any Store<ShopDatabase.Transaction>
    let time: any TimeSource
    /// The longest pause between two reads of the due times.
    let interval: Duration
    /// The announcements of commits from the call on, each of which may have left work.
    let announcements: @Sendable () -> AsyncStream<DatabaseNotification>
    let logger: Logger
    var watch = BackgroundWatch()

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                let alarm = Alarm()
                let started = jobs.map { (job: $0, alarm: Alarm()) }
                for (job, own) in started { group.addTask { await work(job, wokenBy: own, telling: alarm) } }
                group.addTask { await wake(started.map(\.alarm), at: alarm) }
                group.addTask { for await _ in announcements() { await alarm.ring() } }
            }
        }
    }

    /// - Parameter alarm: rung after each run, which may have left work.
    private func work(_ job: Job, wokenBy own: Alarm, telling alarm: Alarm) async {
        await repeating(job.name, logger) {
            try await watch.run(job.name, job.run)
            try await Task.sleep(for: job.pause)
            await alarm.ring()
            await own.wait()
        }
    }

    /// Wakes the jobs that are due, whenever one becomes due or the alarm rings.
    private func wake(_ alarms: [Alarm], at alarm: Alarm) async {
        await repeating("reading what is due", logger) {
            let due = try await store.read { transaction in try jobs.map { try $0.nextDue(transaction) } }
            let now = time.now
            for (own, due) in zip(alarms, due) where due.map({ $0 <= now }) ?? false { await own.ring() }
            let next = due.compactMap { $0.map { $0.timeIntervalSince(now) } }.filter { $0 > 0 }.min()
            await alarm.sleep(for: min(interval, next.map { max(.milliseconds(1), .seconds($0)) } ?? interval))
        }
    }
}
