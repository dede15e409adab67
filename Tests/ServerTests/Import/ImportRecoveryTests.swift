import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchServer
import PouchStorage
import Subprocess
import Synchronization
import Testing

/// An import whose process ends in any phase is completed by another process.
@Suite("Imports with a killed process", .timeLimit(.minutes(5)), .serialized)
struct ImportTakeoverTests {
    @Test(arguments: ["comparing", "stocking", "superseding", "tidying"])
    func `A server completes a killed import by itself`(phase: String) async throws {
        try await TemporaryFolder.use { folder in
            let database = try await ShopFolder.stocked(folder)
            let feed = try ShopFolder.csv(
                folder, "large", products: [("cap", 99)] + (0..<6_000).map { ("new-\($0)", 1) })
            let watcher = try DatabaseAddress(database).connect()
            let status = try await ServerProgram.kill(
                "import", "--format", "shopify-csv", "--database", database, feed,
                when: {
                    try await watcher.read {
                        try !$0.rows("SELECT 1 FROM imports WHERE phase = ?", [.text(phase)]).isEmpty
                    }
                })
            #expect(status == .signaled(9))
            _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
                try await eventually(within: .seconds(60)) {
                    try await watcher.read {
                        try $0.rows("SELECT 1 FROM imports WHERE phase <> 'ended'", []).isEmpty
                    }
                }
                let found = try await server.anyone.call(
                    Contract.availability, query: "sku=cap&sku=new-0&sku=new-5999"
                ).good()
                #expect(found.items.map(\.available) == [99, 1, 1])
            }
            let counts = try await watcher.read { connection in
                try ["products", "variants", "stock", "import_records", "import_products"].map {
                    try connection.row("SELECT COUNT(*) FROM \($0)", [])?.int(0)
                }
            }
            #expect(counts == [6_001, 6_001, 6_001, 0, 0])
            try await watcher.close()
        }
    }

    @Test func `A checkout during the comparing phase of an import completes before the import`() async throws {
        try await TestShop.open { shop in
            let products = (0..<3_000).map { FeedProduct.stocked("thing-\($0)") }
            async let report = shop.stock(products)
            try await eventually {
                try await shop.store.read { repositories in
                    guard let id = try repositories.imports.unfinished() else { return false }
                    return try repositories.imports.record(id: id)?.phase == .comparing
                }
            }
            let order = try await shop.guest().buyNow("cap", 1, total: 1490)
            #expect(order.status == 201)
            let unfinished = try await shop.store.read { try $0.imports.unfinished() }
            #expect(unfinished != nil)
            #expect(try await report.created == 3_000)
        }
    }

    @Test func `An import whose lease expired is completed by the next import`() async throws {
        try await TestShop.open(configure: { $0.importInterval = .seconds(3600) }) { shop in
            let service = ImportService(shop.environment, store: shop.store)
            let id = try await service.receive(ListedFeed([.stocked("first")]))
            let now = shop.clock.now
            let isTaken = try await shop.store.write {
                try $0.imports.takeLease(of: id, for: "dead", until: now.addingTimeInterval(5), at: now)
            }
            #expect(isTaken)
            async let second = shop.stock([.stocked("second")])
            shop.clock.advance(by: 6)
            #expect(try await second.created == 1)
            #expect(try await service.report(id: id)?.status == .published)
            #expect(try await shop.available("first") == 10)
        }
    }
}

/// Imports with one failed write to the store.
@Suite("Imports with a failing store", .timeLimit(.minutes(1)))
struct ImportFailureTests {
    @Test(arguments: [2, 3, 4, 5, 6, 7])
    func `An import resumes after the store was unavailable`(write: Int) async throws {
        try await expectResumed(
            afterWrite: write, isWritten: false, failure: UnavailableError(reason: "the line is cut"))
    }

    @Test(arguments: [2, 3, 4, 5, 6, 7])
    func `An import resumes after a commit with an unknown outcome`(write: Int) async throws {
        for isWritten in [true, false] {
            try await expectResumed(afterWrite: write, isWritten: isWritten, failure: CommitUnknownError())
        }
    }

    private func expectResumed<Failure: Error>(afterWrite count: Int, isWritten: Bool, failure: Failure) async throws {
        try await TestShop.open(configure: { $0.importInterval = .seconds(3600) }) { shop in
            let environment = shop.environment
            let id = try await ImportService(environment, store: shop.store).receive(ListedFeed([.stocked("new")]))
            let store = BreakingStore(shop.store, write: count, isWritten: isWritten, failure: failure)
            await #expect(throws: Failure.self) { _ = try await ImportService(environment, store: store).resume() }
            while try await ImportService(environment, store: shop.store).resume() {}
            let report = try #require(try await ImportService(environment, store: shop.store).report(id: id))
            #expect(report.status == .published && report.created == 1)
            #expect(try await shop.available("new") == 10)
        }
    }
}

/// A store that fails one write.
private final class BreakingStore: ImportStore {
    typealias Transaction = ShopDatabase.Transaction

    private let store: ShopDatabase
    private let left: Mutex<Int>
    private let isWritten: Bool
    private let failure: any Error

    /// - Parameters:
    ///   - write: the number of the failing write, from 1.
    ///   - isWritten: whether the write is committed before it fails.
    init(_ store: ShopDatabase, write: Int, isWritten: Bool, failure: any Error) {
        self.store = store
        left = Mutex(write)
        self.isWritten = isWritten
        self.failure = failure
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> Value) async throws -> Value {
        try await store.read(body)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
        let fails = left.withLock { left in
            left -= 1
            return left == 0
        }
        guard fails else { return try await store.write(isolation, body) }
        if isWritten { _ = try await store.write(isolation, body) }
        throw failure
    }
}
