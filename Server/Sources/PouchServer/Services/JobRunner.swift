import Foundation
import Logging
import PouchDomain
import PouchStorage
import ServiceLifecycle
import Synchronization

/// Background work of one kind. Its queue is the rows that it works on, such as pending orders, so that an effect and
/// the work that follows from it are stored together. Any number of processes may run it.
package struct Job: Sendable {
    /// The work, for the log: "settling orders".
    let name: String
    /// The announcement after which there is work.
    var announcement: Announcement?
    /// The minimum pause between two runs that were not announced, for work that stays due, for example while the
    /// payment provider is down.
    var pause = Duration.zero
    /// The time at which there is work, read from the store; nil if there is none.
    let nextDue: @Sendable (ShopDatabase.Transaction) throws -> Date?
    let run: @Sendable () async throws -> Void

    package init(
        name: String, announcement: Announcement? = nil, pause: Duration = .zero,
        nextDue: @escaping @Sendable (ShopDatabase.Transaction) throws -> Date?,
        run: @escaping @Sendable () async throws -> Void
    ) {
        self.name = name
        self.announcement = announcement
        self.pause = pause
        self.nextDue = nextDue
        self.run = run
    }
}

/// Runs each job when the runner starts, when the job's work is announced, and when it is due.
///
/// An announced job runs immediately. One transaction reads when all jobs are due: after other announcements, after a
/// run, when the next job is due, and at intervals, since a process that died announces nothing. A job that fails is
/// retried after a growing pause; jobs do not wait for each other.
struct JobRunner: Service {
    /// The minimum pause between two runs of a job, so that one run does the work that many commits announce.
    private static let runPause = Duration.milliseconds(20)
    /// The minimum pause between two reads of the due times. Each read costs as much as a request.
    private static let readPause = Duration.milliseconds(100)

    let jobs: [Job]
    let store: any Store<ShopDatabase.Transaction>
    let time: any TimeSource
    /// The maximum pause between two reads of the due times.
    let interval: Duration
    /// The announcements of commits since the call, each of which may have left work.
    let announcements: @Sendable () -> AsyncStream<DatabaseNotification>
    let logger: Logger
    var watch = BackgroundWatch()
    var clock: any RestClock = MachineRestClock()

    /// A job with its state in this process.
    private final class RunningJob: Sendable {
        let job: Job
        let alarm: Alarm
        /// The time on the clock until which the job rests, unless it is announced.
        let restsUntil = Mutex(Duration.zero)

        init(_ job: Job, on clock: any RestClock) {
            self.job = job
            alarm = Alarm(on: clock)
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            let announcements = announcements()
            let alarm = Alarm(on: clock)
            let jobs = jobs.map { RunningJob($0, on: clock) }
            await withTaskGroup(of: Void.self) { group in
                for job in jobs { group.addTask { await run(job, ringing: alarm) } }
                group.addTask { await wake(jobs, at: alarm) }
                group.addTask {
                    for await announced in announcements { await wake(jobs, or: alarm, at: announced) }
                }
            }
        }
    }

    /// - Parameter alarm: rung after each run, since a run may have left work.
    private func run(_ running: RunningJob, ringing alarm: Alarm) async {
        let job = running.job
        await repeating(job.name, logger, on: clock) {
            try await watch.run(job.name, job.run)
            running.restsUntil.withLock { $0 = clock.elapsed + job.pause }
            await alarm.ring()
            try await clock.sleep(for: Self.runPause)
            await running.alarm.wait()
        }
    }

    /// Wakes the jobs that an announcement is for; if there are none, reads the due times.
    private func wake(_ jobs: [RunningJob], or alarm: Alarm, at announced: DatabaseNotification) async {
        let woken = jobs.filter { $0.job.announcement.map { announced == .text($0.rawValue) } ?? false }
        for job in woken { await job.alarm.ring() }
        if woken.isEmpty { await alarm.ring() }
    }

    /// Wakes the jobs that are due, whenever one becomes due or the alarm rings.
    private func wake(_ jobs: [RunningJob], at alarm: Alarm) async {
        await repeating("reading what is due", logger, on: clock) {
            let due = try await store.read { transaction in try jobs.map { try $0.job.nextDue(transaction) } }
            let (now, elapsed) = (time.now, clock.elapsed)
            var next = interval
            for (job, due) in zip(jobs, due) {
                guard let due else { continue }
                let rest = max(.seconds(due.timeIntervalSince(now)), job.restsUntil.withLock { $0 } - elapsed)
                if rest <= .zero { await job.alarm.ring() } else { next = min(next, rest) }
            }
            try await clock.sleep(for: min(interval, Self.readPause))
            await alarm.sleep(for: max(.milliseconds(1), next - Self.readPause))
        }
    }
}
