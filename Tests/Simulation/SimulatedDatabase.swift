import Foundation
import GRDB
import GRDBSQLite
import PouchDomain
import PouchStorage

/// The database as one server sees it: every transaction is a step that other servers can come before, and that can
/// fail.
struct SimulatedDatabase: PouchStorage.Database {
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

/// The database of the simulated shops: SQLite in memory, on one connection, which gets back to its first state at once.
final class MemoryConnection: SQLConnection {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    /// The number of changing statements until the disk is full; nil for a disk with space.
    var statementsUntilFull: Int?

    var dialect: SQLDialect { .sqlite }

    init() throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(":memory:", &handle, flags, nil) == SQLITE_OK, let handle else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        self.handle = handle
        try script("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    // MARK: Statements
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        if let left = statementsUntilFull {
            guard left > 0 else { throw Self.full }
            statementsUntilFull = left - 1
        }
        _ = try rows(sql, arguments)
        return Int(sqlite3_changes(handle))
    }

    func send(_ sql: String, _ arguments: [SQLValue]) throws { try run(sql, arguments) }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() { bind(argument, to: CInt(index + 1), of: statement) }
        let columns = 0..<sqlite3_column_count(statement)
        var rows: [SQLRow] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append(SQLRow(columns.map { value($0, of: statement) }))
            case SQLITE_DONE: return rows
            default: throw failure(sql)
            }
        }
    }

    func script(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    /// The simulation starts the background work itself.
    func notify(_ text: String, _: NotificationReach) {}

    private func prepared(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure(sql)
        }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLValue, to index: CInt, of statement: OpaquePointer) {
        // SQLite copies texts and bytes.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let integer): sqlite3_bind_int64(statement, index, integer)
        case .text(let text): sqlite3_bind_text(statement, index, text, -1, transient)
        case .blob(let data):
            data.withUnsafeBytes { bytes in
                _ =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, bytes.baseAddress, CInt(bytes.count), transient)
            }
        }
    }

    private func value(_ column: CInt, of statement: OpaquePointer) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .integer(Int64(sqlite3_column_double(statement, column)))
        case SQLITE_TEXT: .text(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "")
        case SQLITE_BLOB:
            .blob(
                sqlite3_column_blob(statement, column).map {
                    Data(bytes: $0, count: Int(sqlite3_column_bytes(statement, column)))
                } ?? Data())
        default: .null
        }
    }

    private func failure(_ sql: String) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: sqlite3_extended_errcode(handle)),
            message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }

    static let full = DatabaseError(resultCode: .SQLITE_FULL, message: "database or disk is full")

    // MARK: Transactions
    /// Runs the body in a savepoint, which is rolled back if it throws.
    func transaction<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        _ = try rows("SAVEPOINT one", [])
        do {
            let value = try body(self)
            _ = try rows("RELEASE one", [])
            return value
        } catch {
            _ = try rows("ROLLBACK TO one", [])
            _ = try rows("RELEASE one", [])
            throw error
        }
    }

    /// Begins a run, whose changes `reset` takes back all at once.
    func begin() throws { _ = try rows("BEGIN", []) }
    func reset() throws { _ = try rows("ROLLBACK", []) }
}
