import PouchDomain
import PouchStorage

/// The database as one server sees it: every transaction is a step that other servers can come before, and that can
/// fail.
struct SimulatedDatabase: Database {
    let world: World
    let life: ServerLife

    /// The purpose of the current task's transactions, where the notes need it.
    @TaskLocal static var purpose: Purpose?

    enum Purpose: Sendable {
        /// Changes the cart of a person.
        case cart(person: Int)
        /// Changes units on hand other than by orders.
        case stock
    }

    func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        await world.pause()
        try life.check()
        // As a pool of readers does for a client who is gone.
        try Task.checkCancellation()
        if world.happens(.unavailable) { throw UnavailableError(reason: "simulated") }
        return try body(world.connection)
    }

    func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        await world.pause()
        try life.check()
        world.clock.advance(by: Double(1 + world.below(40)) / 1000)
        if world.happens(.overload) { throw OverloadError(retryAfterSeconds: 1) }
        if world.happens(.unavailable) { throw UnavailableError(reason: "simulated") }
        if world.happens(.crashBeforeCommit) { try life.end() }
        if world.happens(.commitLost) { throw CommitUnknownError() }
        let value = try commit(body)
        if world.happens(.crashAfterCommit) { try life.end() }
        if world.happens(.commitUnknown) { throw CommitUnknownError() }
        await world.pause()
        try life.check()
        return value
    }

    func notifications() -> AsyncStream<DatabaseNotification> { NotificationHub().listen() }

    func close() {}

    private struct Again: Error {}

    private func commit<Value>(_ body: SQLTransaction<Value>) throws -> Value {
        let connection = world.connection
        // As after a conflict on a database server, which runs the body again.
        if world.happens(.repeatedBody) {
            do {
                try connection.transaction {
                    _ = try body($0)
                    throw Again()
                }
            } catch is Again {} catch is TransactionConflict {}
        }
        let isFull = world.isDiskFull || world.happens(.fullDisk)
        connection.statementsUntilFull = isFull ? world.below(8) : nil
        defer { connection.statementsUntilFull = nil }
        let before = try world.notes.snapshot(for: Self.purpose, on: connection)
        let value = try connection.transaction {
            let value = try body($0)
            if isFull { throw MemoryConnection.full }
            return value
        }
        try world.notes.add(Self.purpose, since: before, on: connection)
        return value
    }
}

/// The life of one server process, which ends with a crash.
///
/// `@unchecked Sendable`: used on the scheduler's thread only.
final class ServerLife: @unchecked Sendable {
    private let world: World
    let number: Int
    private(set) var isRunning = true

    init(_ world: World, number: Int) {
        self.world = world
        self.number = number
    }

    struct Ended: Error {}

    /// Lets nothing of a dead process take effect. Its code runs on only as far as its next step.
    func check() throws {
        guard isRunning else { throw Ended() }
    }

    func end() throws -> Never {
        crash()
        throw Ended()
    }

    func crash() {
        guard isRunning else { return }
        isRunning = false
        world.count("crashes")
        world.tell("server \(number) crashes")
    }
}

/// The sums that the books are compared with at the end, besides orders and charges. Written with each commit.
final class Notes {
    /// Units in the carts of each person, by SKU, without those that checkouts took or put back.
    private(set) var carts: [Int: [String: Int]] = [:]
    /// Units put into the stock, by SKU, at first and by corrections and imports.
    private(set) var putIn: [String: Int] = [:]
    /// The ids of the events that a consumer was given.
    private(set) var told: Set<String> = []
    /// Those of them that came after a later event of their object.
    private(set) var retold: Set<String> = []
    private var lastTold: [String: Int64] = [:]

    func snapshot(
        for purpose: SimulatedDatabase.Purpose?, on connection: MemoryConnection
    ) throws -> [String: Int] {
        switch purpose {
        case nil: [:]
        case .cart: try sums("SELECT sku, SUM(quantity) FROM cart_lines GROUP BY sku", on: connection)
        case .stock: try sums("SELECT sku, on_hand FROM stock", on: connection)
        }
    }

    func add(
        _ purpose: SimulatedDatabase.Purpose?, since before: [String: Int], on connection: MemoryConnection
    ) throws {
        guard let purpose else { return }
        var change = try snapshot(for: purpose, on: connection)
        change.merge(before.mapValues { -$0 }, uniquingKeysWith: +)
        switch purpose {
        case .cart(let person): carts[person, default: [:]].merge(change, uniquingKeysWith: +)
        case .stock: putIn.merge(change, uniquingKeysWith: +)
        }
    }

    /// Notes what a consumer is given, also in a transaction that is rolled back and repeated.
    func tell(_ records: [EventRecord]) {
        for record in records where told.insert(record.id).inserted {
            if record.position < lastTold[record.event.objectId] ?? 0 { retold.insert(record.id) }
            lastTold[record.event.objectId] = record.position
        }
    }

    private func sums(_ sql: String, on connection: MemoryConnection) throws -> [String: Int] {
        try connection.rows(sql, []).reduce(into: [:]) { $0[try $1.text(0)] = try $1.int(1) }
    }
}
