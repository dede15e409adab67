import Dispatch
import ServerTesting
import Synchronization
import Testing

/// Polls the condition until it holds.
///
/// - Parameter deadline: the time after which the test fails, long enough for a busy machine. It tests no time limit of
///   the product.
func eventually(
    within deadline: Duration = .seconds(240), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + deadline
    while ContinuousClock.now < end {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("The condition did not hold within \(deadline).", sourceLocation: sourceLocation)
    throw DeadlinePassed()
}

struct DeadlinePassed: Error {}

/// Runs the operation `count` times concurrently.
///
/// - Returns: the results, in the order of the operations' numbers, which start at 0.
func parallel<Value: Sendable>(
    _ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for index in 0..<count { group.addTask { (index, try await operation(index)) } }
        var results: [(index: Int, value: Value)] = []
        for try await result in group { results.append(result) }
        return results.sorted { $0.index < $1.index }.map(\.value)
    }
}

/// Carries a value out of a closure that runs on any thread.
actor Box<Value: Sendable> {
    private(set) var value: Value?

    func set(_ value: Value?) { self.value = value }
}

extension Database {
    /// Runs statements in a transaction that is open until the semaphore is signalled.
    ///
    /// - Returns: the transaction, after its statements have run.
    func hold(
        _ isolation: Isolation = .serializable, until release: DispatchSemaphore,
        _ statements: @escaping SQLTransaction<Void>
    ) async -> Task<Void, any Error> {
        let (held, holding) = AsyncStream<Never>.makeStream()
        let holder = Task {
            try await write(isolation) { connection in
                try statements(connection)
                holding.finish()
                release.wait()
            }
        }
        for await _ in held {}
        return holder
    }
}

/// A transaction that stays open after its statements until the test commits or rolls it back. On a database with one
/// writer, all other transactions wait for it.
struct HeldTransaction {
    typealias Statements = @Sendable (ShopDatabase.Transaction) throws -> Void

    private struct RolledBack: Error {}

    private final class End: Sendable {
        let signal = DispatchSemaphore(value: 0)
        let last = Mutex<Statements>({ _ in throw RolledBack() })
    }

    private let started: AsyncStream<Never>
    private let end = End()
    private let task: Task<Void, any Error>

    init(_ store: ShopDatabase, _ body: @escaping Statements) {
        let (started, starting) = AsyncStream<Never>.makeStream()
        self.started = started
        task = Task { [end] in
            try await store.write(.readCommitted) { repositories in
                try body(repositories)
                starting.finish()
                end.signal.wait()
                try end.last.withLock { $0 }(repositories)
            }
        }
    }

    func waitForStart() async { for await _ in started {} }

    /// Runs the work, and rolls the transaction back if it fails, so that no other transaction waits forever.
    func during(_ work: () async throws -> Void) async throws {
        do { try await work() } catch {
            await rollBack()
            throw error
        }
    }

    func rollBack() async {
        end.signal.signal()
        _ = await task.result
    }

    /// - Parameter last: runs before the commit.
    func commit(_ last: @escaping Statements = { _ in }) async throws {
        end.last.withLock { $0 = last }
        end.signal.signal()
        try await task.value
    }
}

/// A store over that of a shop. What a test does not replace is passed on.
protocol StoreWrapper: ImportStore where Transaction == ShopDatabase.Transaction {
    var store: ShopDatabase { get }
}

extension StoreWrapper {
    func read<Value: Sendable>(_ body: @escaping Body<Value>) async throws -> Value { try await store.read(body) }

    func write<Value: Sendable>(_ isolation: Isolation, _ body: @escaping Body<Value>) async throws -> Value {
        try await store.write(isolation, body)
    }
}

/// A store whose reads can be made to wait, with their results, or to fail.
final class GatedStore: StoreWrapper {
    private enum Gate {
        case open, failing
        case closed([CheckedContinuation<Void, Never>])
    }

    let store: ShopDatabase
    private let state = Mutex((gate: Gate.open, reads: 0))

    init(_ store: ShopDatabase) {
        self.store = store
    }

    var reads: Int { state.withLock { $0.reads } }

    /// The number of reads that have their results, and wait.
    var waiting: Int {
        state.withLock { if case .closed(let waiting) = $0.gate { waiting.count } else { 0 } }
    }

    func close() { state.withLock { $0.gate = .closed([]) } }

    func fail() { state.withLock { $0.gate = .failing } }

    func open() {
        let waiting = state.withLock { state in
            defer { state.gate = .open }
            guard case .closed(let waiting) = state.gate else { return [CheckedContinuation<Void, Never>]() }
            return waiting
        }
        for reader in waiting { reader.resume() }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ShopDatabase.Transaction) throws -> Value
    ) async throws -> Value {
        state.withLock { $0.reads += 1 }
        let value = try await store.read(body)
        await withCheckedContinuation { reader in
            let isOpen = state.withLock { state in
                guard case .closed(let waiting) = state.gate else { return true }
                state.gate = .closed(waiting + [reader])
                return false
            }
            if isOpen { reader.resume() }
        }
        if state.withLock({ if case .failing = $0.gate { true } else { false } }) {
            throw UnavailableError(reason: "The store fails.")
        }
        return value
    }
}

extension DomainEnvironment {
    /// The same environment with another store.
    func over(_ store: any Store) -> DomainEnvironment {
        DomainEnvironment(store: store, time: time, random: random, digests: digests, shop: shop)
    }
}

extension TestShop {
    /// The number of database sessions that wait for a lock, on PostgreSQL.
    func waitingSessions() async throws -> Int {
        try await rows(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        ).count
    }
}
