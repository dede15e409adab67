import Dispatch
import ServerTesting
import Synchronization
import Testing

@testable import PouchImport

/// Imports between other work, in one process. The jobs of a server would take the imports of the test.
@Suite("Imports and other work", .timeLimit(.minutes(5)), .inShop([], runsJobs: false))
struct ImportConcurrencyTests {
    private let shop = TestShop.current

    private var imports: ImportService { ImportService(shop.environment, store: shop.store) }

    @Test func `A checkout during the comparing phase of an import completes before the import`() async throws {
        try await shop.stock([.stocked("cap")])
        let guest = try await shop.guest()
        let store = PausingStore(shop.store)
        let service = ImportService(shop.environment, store: store)
        async let report = service.run(ListedFeed((0..<3_000).map { FeedProduct.stocked("thing-\($0)") }))
        do {
            defer { store.resume() }
            await store.waitForPause()
            #expect(try await guest.buyNow().status == 201)
            #expect(try await shop.store.read { try $0.imports.unfinished() } != nil)
        }
        #expect(try await report.created == 3_000)
    }

    @Test func `An import whose lease expired is completed by the next import`() async throws {
        let id = try await imports.receive(ListedFeed([.stocked("first")]))
        let now = shop.clock.now
        let isTaken = try await shop.store.write {
            try $0.imports.takeLease(of: id, for: "dead", until: now.addingTimeInterval(5), at: now)
        }
        #expect(isTaken)
        async let second = imports.run(ListedFeed([.stocked("second")]))
        shop.clock.advance(by: 6)
        #expect(try await second.created == 1)
        #expect(try await imports.report(id: id)?.status == .published)
        #expect(try await shop.available("first") == 10)
    }

    @Test(arguments: 2...7)
    func `An import resumes after a write to which the store was unavailable`(write: Int) async throws {
        try await expectResumed(after: write, isWritten: false, failure: UnavailableError(reason: "the line is cut"))
    }

    @Test(arguments: 2...7, [true, false])
    func `An import resumes after a commit with an unknown outcome`(write: Int, isWritten: Bool) async throws {
        try await expectResumed(after: write, isWritten: isWritten, failure: CommitUnknownError())
    }

    @Test(arguments: [true, false])
    func `An import that another process ends just before its last write ends once`(isGivenUp: Bool) async throws {
        let (environment, shopStore) = (shop.environment, shop.store)
        var record = ImportRecord(id: "imp_1", isDryRun: false)
        if !isGivenUp { record.enter(.tidying) }
        try await shopStore.write { [record] in try $0.imports.create(record, at: environment.time.now) }
        // Before it, a worker takes the lease, and an import that is given up fails and is tidied.
        let store = InterruptedStore(shopStore, write: isGivenUp ? 3 : 2) {
            try await shopStore.write { repositories in
                var record = try #require(try repositories.imports.record(id: "imp_1"))
                record.enter(.ended)
                try repositories.imports.save(record, at: environment.time.now)
                try environment.events.append(record, in: repositories)
            }
        }
        shop.clock.advance(by: 301)
        _ = try await ImportService(environment, store: store).resume()
        #expect(try await shop.eventTypes(of: "imp_1") == ["import.ended"])
        #expect(try await shopStore.read { try $0.imports.lease().importId } == nil)
    }

    /// - Parameter write: the number of the write of the import that fails.
    private func expectResumed<Failure: Error>(after write: Int, isWritten: Bool, failure: Failure) async throws {
        let id = try await imports.receive(ListedFeed([.stocked("new")]))
        let breaking = InterruptedStore(shop.store, write: write, isAfter: isWritten) { throw failure }
        await #expect(throws: Failure.self) { try await ImportService(shop.environment, store: breaking).resume() }
        while try await imports.resume() {}
        let report = try #require(try await imports.report(id: id))
        #expect(report.status == .published && report.created == 1)
        #expect(try await shop.available("new") == 10)
    }
}

/// A store that pauses an import in the transaction of its first comparison, until it is resumed.
private final class PausingStore: StoreWrapper {
    let store: ShopDatabase
    private let pause = AsyncStream<Never>.makeStream()
    private let end = DispatchSemaphore(value: 0)
    private let hasPaused = Mutex(false)

    init(_ store: ShopDatabase) { self.store = store }

    func waitForPause() async { for await _ in pause.stream {} }

    func resume() { end.signal() }

    func read<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value {
        try await store.read { [self] repositories in
            let value = try body(repositories)
            // A record has a revision from its first comparison on.
            guard let id = try repositories.imports.unfinished(), let record = try repositories.imports.record(id: id),
                record.phase == .comparing, record.revision > 0,
                hasPaused.withLock({ hasPaused in
                    defer { hasPaused = true }
                    return !hasPaused
                })
            else { return value }
            pause.continuation.finish()
            end.wait()
            return value
        }
    }
}

/// A store that does something else before or after one write.
private final class InterruptedStore: StoreWrapper {
    let store: ShopDatabase
    private let left: Mutex<Int>
    private let isAfter: Bool
    private let interruption: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - write: the number of the write, from 1.
    ///   - isAfter: whether the write is committed before the interruption.
    init(
        _ store: ShopDatabase, write: Int, isAfter: Bool = false,
        by interruption: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        left = Mutex(write)
        self.isAfter = isAfter
        self.interruption = interruption
    }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value {
        let isInterrupted = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isInterrupted, !isAfter { try await interruption() }
        let value = try await store.write(isolation, body)
        if isInterrupted, isAfter { try await interruption() }
        return value
    }
}
