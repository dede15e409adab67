import PouchDomain
import PouchImport
import PouchServer
import PouchStorage
import Synchronization
import Testing

/// An import whose connection to the store breaks once.
@Suite("Imports whose store fails in passing", .timeLimit(.minutes(1)))
struct ImportFailureTests {
    @Test(arguments: [2, 3, 4, 5, 6, 7])
    func `Where the store cannot be reached in the middle, the import goes on later`(write: Int) async throws {
        try await goesOn(afterWrite: write, isWritten: false, failure: UnavailableError(reason: "the line is cut"))
    }

    @Test(arguments: [2, 3, 4, 5, 6, 7])
    func `Where nobody knows whether a step was written, the import goes on later`(write: Int) async throws {
        for isWritten in [true, false] {
            try await goesOn(afterWrite: write, isWritten: isWritten, failure: CommitUnknownError())
        }
    }

    private func goesOn<Failure: Error>(afterWrite count: Int, isWritten: Bool, failure: Failure) async throws {
        try await TestShop.open(configure: { $0.importInterval = .seconds(3600) }) { shop in
            let sound = shop.environment
            let id = try await ImportService(sound, store: shop.store).receive(ListedFeed([.stocked("new")]))
            let store = BreakingStore(shop.store, write: count, isWritten: isWritten, failure: failure)
            await #expect(throws: Failure.self) { _ = try await ImportService(sound, store: store).resume() }
            while try await ImportService(sound, store: shop.store).resume() {}
            let report = try #require(try await ImportService(sound, store: shop.store).report(id: id))
            #expect(report.status == .published && report.created == 1)
            #expect(try await shop.available("new") == 10)
        }
    }
}

/// A store of which one write fails.
private final class BreakingStore: ImportStore {
    typealias Transaction = ShopDatabase.Transaction

    private let store: ShopDatabase
    private let left: Mutex<Int>
    private let isWritten: Bool
    private let failure: any Error

    /// - Parameters:
    ///   - write: which one, from 1.
    ///   - isWritten: whether it is committed before it fails.
    init(_ store: ShopDatabase, write: Int, isWritten: Bool, failure: any Error) {
        self.store = store
        left = Mutex(write)
        self.isWritten = isWritten
        self.failure = failure
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws -> Value {
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
