import Foundation
import Logging
import PouchEntities
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
        let count = Atomic(0)
        let looks = Atomic(0)
        let times = Mutex<[ContinuousClock.Instant]>([])
        let (runs, ran) = AsyncStream<Void>.makeStream()

        func job(pause: Duration = .zero) -> Job {
            Job(name: "working", pause: pause, nextDue: look) {
                self.due.withLock { $0 = nil }
                self.count.wrappingAdd(1, ordering: .relaxed)
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
                interval: .seconds(3_600), announcements: { announcements },
                logger: Logger(label: "jobs") { _ in SwiftLogNoOpLogHandler() })
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
            #expect(work.count.load(ordering: .relaxed) == 3)
            // It was never due.
            #expect(other.count.load(ordering: .relaxed) == 1)
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

/// A clock of work in the background that stands still until a test lets time pass.
private final class StandingClock: RestClock {
    private struct State {
        var elapsed = Duration.zero
        var lastId = 0
        var sleepers: [Int: (end: Duration, waking: AsyncStream<Never>.Continuation)] = [:]
    }

    private let state = Mutex(State())

    var elapsed: Duration { state.withLock(\.elapsed) }

    func sleep(for duration: Duration) async throws {
        let (woken, waking) = AsyncStream<Never>.makeStream()
        let id = state.withLock { state in
            state.lastId += 1
            state.sleepers[state.lastId] = (state.elapsed + duration, waking)
            return state.lastId
        }
        await withTaskCancellationHandler {
            for await _ in woken {}
        } onCancel: {
            state.withLock { $0.sleepers[id] = nil }
        }
        try Task.checkCancellation()
    }

    /// Lets time pass, and each time that a sleep ends, what follows from it, until as many tasks sleep.
    func pass(_ duration: Duration, _ count: Int) async throws {
        let end = elapsed + duration
        while true {
            try await eventually { state.withLock { $0.sleepers.count } == count }
            let due = state.withLock { state in
                state.elapsed = min(end, state.sleepers.values.map(\.end).min() ?? end)
                let due = state.sleepers.filter { $0.value.end <= state.elapsed }
                for id in due.keys { state.sleepers[id] = nil }
                return due.values.map(\.waking)
            }
            for waking in due { waking.finish() }
            if due.isEmpty { return }
        }
    }
}

/// A database that counts its transactions.
private final class CountingDatabase: Database {
    let transactions = Atomic(0)
    private let database: any Database

    init(_ database: any Database) { self.database = database }

    func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        transactions.wrappingAdd(1, ordering: .relaxed)
        return try await database.read(body)
    }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping SQLTransaction<Value>) async throws -> Value {
        transactions.wrappingAdd(1, ordering: .relaxed)
        return try await database.write(isolation, body)
    }

    func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }

    func close() async throws { try await database.close() }
}

/// Keeps a transaction open on the shop's PostgreSQL during the body, as other programs do on a shared one. Until it
/// ends, the shop cannot know whether there will be more events.
private func besideOpenTransaction(on address: DatabaseAddress, _ body: () async throws -> Void) async throws {
    guard TestDatabase.isPostgres else { return try await body() }
    let database = try await address.open()
    let end = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream<Never>.makeStream()
    let transaction = Task {
        defer { beginning.finish() }
        try await database.write { connection in
            _ = try connection.row("SELECT CAST(pg_current_xact_id() AS TEXT)", [])
            beginning.finish()
            end.wait()
        }
    }
    try await withCleanup({
        end.signal()
        try await transaction.value
        try await database.close()
    }) {
        for await _ in begun {}
        try await body()
    }
}

@Suite("The work of an idle server", .timeLimit(.minutes(5)))
struct IdleTests {
    @Test(.withReceiver, .inFolder)
    func `An event leaves at once, and a server with webhooks and mails makes less than one transaction a second`()
        async throws
    {
        let (receiver, folder) = (Receiver.current, TemporaryFolder.current)
        let clock = StandingClock()
        let opened = Mutex<CountingDatabase?>(nil)
        var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
        configuration.dataFolder = folder
        configuration.mail = try .folder(folder.appending(path: "mails"))
        configuration.instrument = { database in
            let counting = CountingDatabase(database)
            opened.withLock { $0 = counting }
            return counting
        }
        let shop = try await ShopApplication(configuration)
        let (store, environment) = (shop.store, shop.environment)
        let sender = WebhookSender(
            dispatch: WebhookDispatch(environment), store: store,
            client: WebhookClient(rule: WebhookAddressRule(allowsPrivate: true)),
            signer: WebhookSigner(environment.digests), time: SystemTime(), logger: .silent)
        let jobs = shop.jobs(.silent) + [sender.job]
        let runner = JobRunner(
            jobs: jobs, store: store, time: SystemTime(), interval: configuration.jobInterval,
            announcements: store.announcements, logger: .silent, clock: clock)
        let running = Task {
            async let sending: Void = sender.run()
            try await runner.run()
            try await sending
        }
        try await withCleanup({
            running.cancel()
            _ = await running.result
            try await opened.withLock { $0 }?.close()
        }) {
            // Each job sleeps until it is woken, and the search for due work until the next search.
            let sleepers = jobs.count + 1
            let webhook = WebhookRecord(
                id: "whk_1", url: receiver.url, types: [], description: nil, status: .active, failingSince: nil,
                secrets: [], createdAt: environment.time.now)
            try await store.write { try $0.webhooks.insert(webhook) }
            try await clock.pass(.seconds(1), sleepers)
            func append(_ id: String) async throws {
                try await store.write { try environment.events.append(.orderPaid, of: id, EventData(), in: $0) }
            }
            func waitForDeliveries(_ count: Int) async throws {
                try await eventually { receiver.requests.count == count }
                try await eventually {
                    try await store.read {
                        try $0.webhooks.deliveries(webhookId: "whk_1", status: .delivered, after: nil, limit: 9).count
                    } == count
                }
            }
            // No time passes: each step announces the next.
            try await append("o1")
            try await waitForDeliveries(1)
            // The jobs rest from the last run, at most for the time in which an event has to leave.
            try await append("o2")
            try await clock.pass(.milliseconds(50), sleepers)
            try await waitForDeliveries(2)
            try await besideOpenTransaction(on: configuration.database) {
                try await append("o3")
                try await clock.pass(.milliseconds(50), sleepers)
                try await eventually { receiver.requests.count == 3 }
                try await clock.pass(.seconds(60), sleepers)
                let database = try #require(opened.withLock { $0 })
                let before = database.transactions.load(ordering: .relaxed)
                try await clock.pass(.seconds(60), sleepers)
                let made = database.transactions.load(ordering: .relaxed) - before
                // It still looks for the work of a server that died.
                #expect((12..<60).contains(made), "\(made)")
            }
        }
    }

    @Test(.inShop([]))
    func `What an event announces costs a checkout no notification of other processes`() async throws {
        #expect(Announcement.eventsAppended.reach == .process && Announcement.eventsNumbered.reach == .process)
        let shop = TestShop.current
        let announced = shop.store.announcements()
        try await shop.append("o1")
        for await announcement in announced {
            if [.text("events"), .text("numbered")].contains(announcement) { return }
        }
    }
}
