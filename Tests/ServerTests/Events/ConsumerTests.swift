import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain

@Suite("Consumers of events", .timeLimit(.minutes(5)), .inShop([]))
struct ConsumerTests {
    private let shop = TestShop.current

    /// A consumer whose effect is an entry of the audit log under the id of the event. A second one would be refused.
    private func consumer(_ name: String, at server: TestShop? = nil) -> EventConsumer {
        EventConsumer(name, (server ?? shop).store) { events, repositories in
            for record in events {
                try repositories.audit.insert(
                    AuditEntry(
                        id: "\(name) \(record.id)", at: record.event.createdAt, actor: nil, action: name,
                        object: record.event.objectId, count: Int(record.position)))
            }
        }
    }

    private func taken(by name: String) async throws -> [String] {
        let filter = AuditSelection(action: name)
        return try await shop.store.read { try $0.audit.entries(filter, after: nil, limit: 10_000) }
            .sorted { $0.count < $1.count }.compactMap(\.object)
    }

    private func number() async throws { _ = try await shop.events() }

    @Test func `Each of two consumers has its own position`() async throws {
        try await shop.append("a")
        try await number()
        #expect(try await consumer("early").run())
        try await shop.append("b")
        try await number()
        #expect(try await consumer("late").run())
        #expect(try await taken(by: "early") == ["a"])
        #expect(try await taken(by: "late") == ["a", "b"])
        #expect(try await consumer("early").run())
        #expect(try await !consumer("early").run())
        #expect(try await taken(by: "early") == ["a", "b"])
    }

    @Test func `A consumer gets the events of its types, and skips others`() async throws {
        func run(_ types: Set<EventType>) async throws -> [String] {
            let taken = Mutex<[String]>([])
            let consumer = EventConsumer("choosy", shop.store, types: types) { events, _ in
                taken.withLock { $0 += events.map(\.event.objectId) }
            }
            try await consumer.run()
            return taken.withLock { $0 }
        }
        // More than one batch, and the last event is not wanted.
        for number in 0..<250 { try await shop.append("paid \(number)", .orderPaid) }
        for number in 0..<3 { try await shop.append("sent \(number)", .orderFulfilled) }
        for number in 0..<250 { try await shop.append("again \(number)", .orderPaid) }
        try await number()
        #expect(try await run([.orderFulfilled, .orderDelivered]) == (0..<3).map { "sent \($0)" })
        #expect(try await run([.orderPaid]) == [])
        try await shop.append("last", .orderPaid)
        try await number()
        #expect(try await run([]) == [])
        #expect(try await run([.orderPaid]) == [])
        try await shop.append("next", .orderPaid)
        try await number()
        #expect(try await run([.orderPaid]) == ["next"])
    }

    @Test func `A consumer that fails keeps its position and gets the same events again`() async throws {
        struct Failure: Error {}
        try await shop.append("a")
        try await number()
        let failing = EventConsumer("moody", shop.store) { _, repositories in
            try repositories.audit.insert(
                AuditEntry(id: "half", at: .distantPast, actor: nil, action: "moody", object: "half"))
            throw Failure()
        }
        await #expect(throws: Failure.self) { try await failing.run() }
        #expect(try await taken(by: "moody").isEmpty)
        #expect(try await consumer("moody").run())
        #expect(try await taken(by: "moody") == ["a"])
    }

    @Test func `Of concurrent runs on two servers, each event is taken once and in order`() async throws {
        try await shop.another { other in
            for _ in 0..<5 {
                _ = try await parallel(20) { try await ($0.isMultiple(of: 2) ? shop : other).append("o\($0)") }
                try await number()
                _ = try await parallel(6) { index in
                    try await consumer("both", at: index.isMultiple(of: 2) ? shop : other).run()
                }
            }
            let events = try await shop.events().map(\.event.objectId)
            #expect(events.count == 100)
            #expect(try await taken(by: "both").sorted() == events.sorted())
        }
    }

    @Test(.enabled(if: TestDatabase.isPostgres))
    func `An event whose transaction commits late is not lost`() async throws {
        let late = HeldTransaction(shop.store) { repositories in
            try shop.environment.events.append(.orderPaid, of: "late", EventData(), in: repositories)
            // Sends the event to the database.
            _ = try repositories.events.lastPosition()
        }
        await late.waitForStart()
        let others = (1...20).map { "early \($0)" }
        try await late.during {
            // Nothing else happens between these, and some run at once.
            for _ in 1...3 { try await number() }
            _ = try await parallel(4) { _ in try await number() }
            for other in others {
                try await shop.append(other)
                _ = try await parallel(2) { _ in try await number() }
            }
            #expect(try await consumer("any").run())
            #expect(try await taken(by: "any") == others)
        }
        try await late.commit()
        try await number()
        #expect(try await consumer("any").run())
        #expect(try await taken(by: "any") == others + ["late"])
    }
}

@Suite("Batches of events", .timeLimit(.minutes(5)))
struct EventBatchTests {
    @Test(.inFolder) func `Each batch is one transaction, which reads the webhooks once`() async throws {
        // Without a server, which would take the events, too.
        var configuration = ServerConfiguration(database: try await TestDatabase(in: TemporaryFolder.current).address)
        configuration.instrument = { RecordingDatabase($0) }
        let (database, store, environment) = try await configuration.open()
        try await withCleanup(database.close) {
            try await store.write { repositories in
                try repositories.webhooks.insert(
                    WebhookRecord(
                        id: "whk_1", url: "https://example.com/", types: [.orderPaid], description: nil,
                        status: .active, failingSince: nil, secrets: [], createdAt: environment.time.now))
                for number in 0..<250 {
                    try environment.events.append(.orderPaid, of: "o\(number)", EventData(), in: repositories)
                }
            }
            while try await store.write(.readCommitted, { try $0.events.number(limit: 1_000) }) {}
            let consumer = WebhookDispatch(environment).consumer
            let hasNew = try await store.read { try consumer.hasNew(in: $0) }
            #expect(hasNew)
            let transactions = try await RecordingDatabase.transactions { try await consumer.run() }
            // 200 events, then 50.
            #expect(transactions.map { $0.count { $0.sql.contains("FROM webhooks ") } } == [1, 1])
            #expect(try await database.read { try $0.rows("SELECT id FROM webhook_deliveries", []) }.count == 250)
            #expect(try await !store.read { try consumer.hasNew(in: $0) })
        }
    }
}
