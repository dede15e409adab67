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

/// A clock of work in the background that stands still until a test lets time pass.
private final class StandingClock: RestClock {
    private typealias Sleeper = (end: Duration, continuation: CheckedContinuation<Void, any Error>)

    private struct State {
        var elapsed = Duration.zero
        var lastId = 0
        var sleepers: [Int: Sleeper] = [:]
        var watcher: (count: Int, continuation: CheckedContinuation<Void, Never>)?

        /// The watcher that has what it waits for.
        mutating func satisfied() -> CheckedContinuation<Void, Never>? {
            guard let watcher, sleepers.count == watcher.count else { return nil }
            self.watcher = nil
            return watcher.continuation
        }
    }

    private let state = Mutex(State())

    var elapsed: Duration { state.withLock(\.elapsed) }

    func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isCancelled, watcher) = state.withLock { state in
                    guard !Task.isCancelled else { return (true, CheckedContinuation<Void, Never>?.none) }
                    state.sleepers[id] = (state.elapsed + duration, continuation)
                    return (false, state.satisfied())
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                watcher?.resume()
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: id) }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until as many tasks sleep.
    func settle(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let watcher = state.withLock { state in
                state.watcher = (count, continuation)
                return state.satisfied()
            }
            watcher?.resume()
        }
    }

    /// Lets time pass, and each time that a sleep ends, what follows from it.
    func pass(_ duration: Duration, _ count: Int) async {
        let end = elapsed + duration
        while true {
            await settle(count)
            let woken = state.withLock { state -> [Sleeper] in
                let next = state.sleepers.values.map(\.end).min() ?? end
                state.elapsed = min(end, next)
                let due = state.sleepers.filter { $0.value.end <= end && $0.value.end <= state.elapsed }
                for id in due.keys { state.sleepers[id] = nil }
                return Array(due.values)
            }
            for sleeper in woken { sleeper.continuation.resume() }
            if woken.isEmpty { return }
        }
    }
}

/// A database that counts its transactions.
private struct CountingDatabase: Database {
    final class Count: Sendable {
        let transactions = Atomic(0)
        let opened = Mutex<(any Database)?>(nil)
    }

    let database: any Database
    let count: Count

    func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        count.transactions.wrappingAdd(1, ordering: .relaxed)
        return try await database.read(body)
    }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping SQLTransaction<Value>) async throws -> Value {
        count.transactions.wrappingAdd(1, ordering: .relaxed)
        return try await database.write(isolation, body)
    }

    func notifications() -> AsyncStream<DatabaseNotification> { database.notifications() }

    func close() async throws { try await database.close() }
}

/// Keeps a transaction open on the shop's PostgreSQL, as other programs do on a shared one, while the body runs. Until it
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
    @Test
    func `An event leaves at once, and a server with webhooks and mails makes less than one transaction a second`()
        async throws
    {
        try await Receiver.serve { receiver in
            try await TemporaryFolder.use { folder in
                let (clock, count) = (StandingClock(), CountingDatabase.Count())
                var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
                configuration.dataFolder = folder
                configuration.mail = try .folder(folder.appending(path: "mails"))
                configuration.instrument = { database in
                    count.opened.withLock { $0 = database }
                    return CountingDatabase(database: database, count: count)
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
                    try await count.opened.withLock { $0 }?.close()
                }) {
                    // Each job sleeps until it is woken, and the search for due work until the next search.
                    let sleepers = jobs.count + 1
                    try await store.write { repositories in
                        try repositories.webhooks.insert(
                            WebhookRecord(
                                id: "whk_1", url: receiver.url, types: [], description: nil, status: .active,
                                failingSince: nil, secrets: [], createdAt: environment.time.now))
                    }
                    await clock.pass(.seconds(1), sleepers)
                    @Sendable func append(_ id: String) async throws {
                        try await store.write { repositories in
                            try environment.events.append(.orderPaid, of: id, EventData(), in: repositories)
                        }
                    }
                    // No time passes: each step announces the next.
                    try await append("o1")
                    try await eventually { receiver.requests.count == 1 }
                    try await eventually {
                        try await store.read {
                            try $0.webhooks.deliveries(webhookId: "whk_1", status: .delivered, after: nil, limit: 9)
                                .count
                        } == 1
                    }
                    // The jobs rest from the last run, at most for the time in which an event has to leave.
                    try await append("o2")
                    await clock.pass(.milliseconds(50), sleepers)
                    try await eventually { receiver.requests.count == 2 }
                    try await eventually {
                        try await store.read {
                            try $0.webhooks.deliveries(webhookId: "whk_1", status: .delivered, after: nil, limit: 9)
                                .count
                        } == 2
                    }
                    try await besideOpenTransaction(on: configuration.database) {
                        try await append("o3")
                        await clock.pass(.milliseconds(50), sleepers)
                        try await eventually { receiver.requests.count == 3 }
                        await clock.pass(.seconds(60), sleepers)
                        let before = count.transactions.load(ordering: .relaxed)
                        await clock.pass(.seconds(60), sleepers)
                        let made = count.transactions.load(ordering: .relaxed) - before
                        // It still looks for the work of a server that died.
                        #expect((12..<60).contains(made), "\(made)")
                    }
                }
            }
        }
    }

    @Test func `What an event announces costs a checkout no notification of other processes`() async throws {
        #expect(Announcement.eventsAppended.reach == .process && Announcement.eventsNumbered.reach == .process)
        try await TestShop.open([]) { shop in
            let announced = shop.store.announcements()
            try await shop.append("o1")
            for await announcement in announced {
                if [.text("events"), .text("numbered")].contains(announcement) { return }
            }
        }
    }
}
