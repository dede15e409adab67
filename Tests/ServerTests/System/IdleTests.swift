import Logging
import PouchMail
import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain
@testable import PouchServer
@testable import PouchStorage

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
            try await besideOpenTransaction(on: store) {
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
    func `The announcement of an event stays in its process and costs a checkout no notification`() async throws {
        #expect(Announcement.eventsAppended.reach == .process && Announcement.eventsNumbered.reach == .process)
        let shop = TestShop.current
        let announced = shop.store.announcements()
        try await shop.append("o1")
        for await announcement in announced {
            if [.text("events"), .text("numbered")].contains(announcement) { return }
        }
    }
}

/// A database that counts its transactions.
private final class CountingDatabase: DatabaseWrapper {
    let transactions = Atomic(0)
    let database: any Database

    init(_ database: any Database) { self.database = database }

    func wrapped<Value>(_ body: @escaping SQLTransaction<Value>) -> SQLTransaction<Value> {
        transactions.wrappingAdd(1, ordering: .relaxed)
        return body
    }
}

/// Keeps a transaction open on the shop's PostgreSQL during the body, as other programs do on a shared one. Until it
/// ends, the shop cannot know whether there will be more events.
private func besideOpenTransaction(on store: ShopDatabase, _ body: () async throws -> Void) async throws {
    guard TestDatabase.isPostgres else { return try await body() }
    let open = HeldTransaction(store) { _ = try $0.connection.row("SELECT CAST(pg_current_xact_id() AS TEXT)", []) }
    await open.waitForStart()
    try await withCleanup(open.rollBack, body)
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
