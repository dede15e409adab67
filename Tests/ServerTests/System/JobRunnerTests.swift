import PouchMail
import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchServer
@testable import PouchStorage

@Suite("Background jobs", .timeLimit(.minutes(5)))
struct JobRunnerTests {
    private typealias Announcing = AsyncStream<DatabaseNotification>.Continuation
    private struct Refused: Error {}

    /// A job whose due time the test sets, and that yields at each run.
    private final class Work: Sendable {
        let due = Mutex<Date?>(nil)
        let fails = Atomic(false)
        let looks = Atomic(0)
        let times = Mutex<[ContinuousClock.Instant]>([])
        let (runs, ran) = AsyncStream<Void>.makeStream()

        func job(pause: Duration = .zero) -> Job {
            Job(name: "working", pause: pause, nextDue: look) {
                self.due.withLock { $0 = nil }
                self.times.withLock { $0.append(.now) }
                self.ran.yield()
                if self.fails.exchange(false, ordering: .relaxed) { throw Refused() }
            }
        }

        @Sendable private func look(_: ShopDatabase.Transaction) -> Date? {
            looks.wrappingAdd(1, ordering: .relaxed)
            return due.withLock { $0 }
        }

        func run() async { for await _ in runs { return } }
    }

    /// Runs the jobs, which read no due times by themselves for an hour.
    private func run(_ jobs: [Job], _ body: @escaping @Sendable (Announcing) async throws -> Void) async throws {
        try await TemporaryFolder.use { folder in
            let database = RecordingDatabase(try await TestDatabase(in: folder).address.connect())
            let (announcements, announcing) = AsyncStream<DatabaseNotification>.makeStream()
            let runner = JobRunner(
                jobs: jobs, store: ShopDatabase(database, currency: .eur), time: SystemTime(),
                interval: .seconds(3_600), announcements: { announcements }, logger: .silent)
            let running = Task { try await runner.run() }
            try await withCleanup({
                running.cancel()
                _ = await running.result
                try await database.close()
            }) { try await body(announcing) }
        }
    }

    @Test func `A job runs at the start, when it is due, and at once when an announcement left work`() async throws {
        let (work, other) = (Work(), Work())
        try await run([work.job(), other.job()]) { announcing in
            await work.run()
            await other.run()
            let due = Date.now + 0.3
            work.due.withLock { $0 = due }
            announcing.yield(.gap)
            await work.run()
            #expect(Date.now >= due)
            work.due.withLock { $0 = .now }
            announcing.yield(.gap)
            await work.run()
            #expect(work.times.withLock { $0.count } == 3)
            // It was never due.
            #expect(other.times.withLock { $0.count } == 1)
        }
    }

    @Test func `One transaction reads when all jobs are due`() async throws {
        let works = (0..<7).map { _ in Work() }
        let reads = try await RecordingDatabase.transactions {
            try await run(works.map { $0.job() }) { announcing in
                for work in works { await work.run() }
                for work in works { work.due.withLock { $0 = .now } }
                announcing.yield(.gap)
                for work in works { await work.run() }
            }
        }
        let looks = works.map { $0.looks.load(ordering: .relaxed) }
        #expect(looks == Array(repeating: reads.count, count: 7) && !reads.isEmpty)
    }

    @Test func `A job that fails is tried again, and the others do not wait for it`() async throws {
        let (failing, other) = (Work(), Work())
        failing.fails.store(true, ordering: .relaxed)
        try await run([failing.job(), other.job()]) { announcing in
            await failing.run()
            await other.run()
            other.due.withLock { $0 = .now }
            announcing.yield(.gap)
            await other.run()
            await failing.run()
        }
    }

    @Test func `A job that stays due rests between its runs`() async throws {
        let work = Work()
        try await run([work.job(pause: .milliseconds(200))]) { announcing in
            await work.run()
            work.due.withLock { $0 = .distantPast }
            announcing.yield(.gap)
            await work.run()
            let times = work.times.withLock { $0 }
            #expect(times[0].duration(to: times[1]) >= .milliseconds(190))
        }
    }
}

@Suite("The alarm of background work", .timeLimit(.minutes(5)))
struct AlarmTests {
    private static let hour = Duration.seconds(3_600)

    @Test func `Ringing ends a sleep`() async {
        let alarm = Alarm()
        // In some rounds the ring comes first, which ends the sleep, too.
        for round in 0..<100 {
            async let slept: Void = alarm.sleep(for: Self.hour)
            for _ in 0..<(round % 10) { await Task.yield() }
            await alarm.ring()
            await slept
        }
    }

    @Test func `Rings before a sleep end the next sleep, once`() async {
        let alarm = Alarm()
        for _ in 0..<2 { await alarm.ring() }
        await alarm.sleep(for: Self.hour)
        let start = ContinuousClock.now
        await alarm.sleep(for: .milliseconds(30))
        #expect(start.duration(to: .now) >= .milliseconds(30))
    }

    @Test func `Cancellation ends a sleep, also one started afterwards`() async {
        let alarm = Alarm()
        let sleeper = Task {
            await alarm.sleep(for: Self.hour)
            await alarm.sleep(for: Self.hour)
        }
        sleeper.cancel()
        await sleeper.value
    }
}
