import ServerTesting
import Synchronization
import Testing

@testable import PouchPostgres

@Suite("PostgreSQL", .enabled(if: TestDatabase.isPostgres), .timeLimit(.minutes(5)))
struct PostgresDatabaseTests {
    private func open(
        _ change: (inout PostgresAddress) -> Void = { _ in },
        _ body: @escaping @Sendable (PostgresDatabase, PostgresAddress) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            guard case .postgres(var address) = try await TestDatabase(in: folder, isFresh: true).address else {
                return
            }
            change(&address)
            let database = PostgresDatabase(address)
            try await database.write {
                try $0.script(
                    """
                    CREATE TABLE counters (id TEXT PRIMARY KEY, value BIGINT NOT NULL);
                    INSERT INTO counters VALUES ('a', 0), ('b', 0);
                    CREATE TABLE things (id TEXT PRIMARY KEY, bytes BYTEA, number BIGINT);
                    """)
            }
            try await body(database, address)
            try await database.close()
        }
    }

    private func value(_ id: String, _ connection: any SQLConnection) throws -> Int64 {
        try connection.row("SELECT value FROM counters WHERE id = ?", [.text(id)])?.integer(0) ?? -1
    }

    private func stored(_ id: String, _ database: PostgresDatabase) async throws -> Int64 {
        try await database.read { try value(id, $0) }
    }

    private func set(_ id: String, _ value: Int64, _ connection: any SQLConnection) throws {
        try connection.run("UPDATE counters SET value = ? WHERE id = ?", [.integer(value), .text(id)])
    }

    // MARK: Transactions
    @Test func `No increment is lost among concurrent read-modify-write transactions`() async throws {
        try await open { database, _ in
            let runs = Mutex(0)
            _ = try await parallel(60) { _ in
                try await database.write { connection in
                    runs.withLock { $0 += 1 }
                    try set("a", value("a", connection) + 1, connection)
                }
            }
            #expect(try await stored("a", database) == 60)
            // Retries show real contention.
            #expect(runs.withLock { $0 } > 60)
        }
    }

    @Test func `Statements that are sent without waiting run in order`() async throws {
        try await open { database, _ in
            let found = try await database.write { connection in
                // More than are sent without reading the responses.
                for number in 1...100 {
                    try connection.send(
                        "UPDATE counters SET value = value * 2 + ? WHERE id = 'a'", [.integer(number % 2)])
                    try connection.send("UPDATE counters SET value = value % 1000 WHERE id = 'a'", [])
                }
                return try value("a", connection)
            }
            let expected = (1...100).reduce(0) { ($0 * 2 + $1 % 2) % 1000 }
            #expect(found == Int64(expected))
            #expect(try await stored("a", database) == found)
        }
    }

    @Test(arguments: ["the next statement", "the commit", "nothing, since the body throws"])
    func `The error of a statement that was sent without waiting ends the transaction`(_ reader: String) async throws {
        struct Refusal: Error {}
        try await open({ $0.connections = 1 }) { database, _ in
            await #expect(throws: (any Error).self) {
                try await database.write { connection in
                    try set("b", 7, connection)
                    try connection.send("INSERT INTO counters VALUES ('a', 1)", [])
                    if reader == "the next statement" { _ = try value("a", connection) }
                    if reader.hasPrefix("nothing") { throw Refusal() }
                }
            }
            // The one connection can be used again.
            #expect(try await stored("b", database) == 0)
            try await database.write { try $0.send("UPDATE counters SET value = 5 WHERE id = 'b'", []) }
            #expect(try await stored("b", database) == 5)
        }
    }

    @Test func `Of two transactions that read what the other writes, one wins`() async throws {
        try await open { database, _ in
            for round in 0..<20 {
                _ = try await database.write { try $0.run("UPDATE counters SET value = 0", []) }
                let won = try await parallel(2) { index in
                    try await database.write { connection in
                        let total = try connection.row("SELECT SUM(value) FROM counters", [])?.integer(0) ?? -1
                        guard total == 0 else { return false }
                        try set(["a", "b"][index], 1, connection)
                        return true
                    }
                }
                #expect(won.count { $0 } == 1, "round \(round)")
            }
        }
    }

    @Test func `Deadlocks are retried instead of reported`() async throws {
        try await open { database, _ in
            _ = try await parallel(12) { index in
                try await database.write(.readCommitted) { connection in
                    for id in index.isMultiple(of: 2) ? ["a", "b"] : ["b", "a"] {
                        try connection.run("UPDATE counters SET value = value + 1 WHERE id = ?", [.text(id)])
                    }
                }
            }
            #expect(try await [stored("a", database), stored("b", database)] == [12, 12])
        }
    }

    @Test func `A row inserted by another transaction is found by the retry`() async throws {
        try await open { database, _ in
            let inserted = try await parallel(30) { index in
                try await database.write(.readCommitted) { connection in
                    if try connection.row("SELECT id FROM things WHERE id = 'one'", []) != nil { return false }
                    try connection.run("INSERT INTO things (id, number) VALUES ('one', ?)", [.integer(index)])
                    return true
                }
            }
            #expect(inserted.count { $0 } == 1)
        }
    }

    @Test func `A lasting conflict becomes overload, and an invalid statement throws at once`() async throws {
        try await open { database, _ in
            let runs = Mutex(0)
            await #expect(throws: OverloadError.self) {
                try await database.write { _ in
                    runs.withLock { $0 += 1 }
                    throw TransactionConflict()
                }
            }
            #expect(runs.withLock { $0 } == 21)
            await #expect(throws: PostgresError.self) { try await database.write { try $0.run("SELEC 1", []) } }
            // The connections can be used again.
            let left = try await stored("a", database)
            #expect(left == 0)
        }
    }

    @Test func `An error that the body ignores still rolls the transaction back`() async throws {
        try await open { database, _ in
            await #expect(throws: PostgresError.self) {
                try await database.write { connection in
                    try set("a", 5, connection)
                    _ = try? connection.run("INSERT INTO counters VALUES ('a', 1)", [])
                }
            }
            let left = try await stored("a", database)
            #expect(left == 0)
        }
    }

    @Test func `A read transaction sees one consistent state and cannot write`() async throws {
        try await open { database, _ in
            let writer = Task {
                while !Task.isCancelled {
                    _ = try await database.write { try $0.run("UPDATE counters SET value = value + 1", []) }
                }
            }
            let torn = try await parallel(200) { _ in try await database.read { try value("a", $0) != value("b", $0) } }
            writer.cancel()
            _ = try? await writer.value
            #expect(!torn.contains(true))
            await #expect(throws: PostgresError.self) { try await database.read { try set("a", 1, $0) } }
        }
    }

    // MARK: Waiting
    @Test func `Transactions beyond the waiting bound, or that wait too long, throw overload`() async throws {
        try await open({
            $0.connections = 1
            $0.waitingBound = 2
            // Long enough for the task that is cancelled, however late this thread gets its turn.
            $0.waitingTime = .seconds(2)
        }) { database, _ in
            let release = DispatchSemaphore(value: 0)
            let holder = await database.hold(.readCommitted, until: release) { try set("a", 1, $0) }
            _ = try await parallel(5) { _ in
                _ = await #expect(throws: OverloadError.self) { try await database.read { try value("a", $0) } }
            }
            let cancelled = Task { try await database.read { try value("a", $0) } }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            release.signal()
            try await holder.value
            #expect(try await stored("a", database) == 1)
        }
    }

    @Test func `Between two attempts of a conflicting transaction others get its connection`() async throws {
        try await open({ $0.connections = 1 }) { database, _ in
            let attempts = Atomic(0)
            let (begun, beginning) = AsyncStream<Never>.makeStream()
            async let conflicting: Void = database.write { _ in
                let attempt = attempts.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
                beginning.finish()
                if attempt < 20 { throw TransactionConflict() }
            }
            for await _ in begun {}
            let seen = try await database.read { connection in
                _ = try value("a", connection)
                return attempts.load(ordering: .sequentiallyConsistent)
            }
            #expect(seen < 20)
            try await conflicting
        }
    }

    @Test func `A statement that waits too long for a lock, or takes too long, throws overload`() async throws {
        try await open({ ($0.lockTime, $0.statementTime) = (.milliseconds(100), .seconds(3)) }) { database, _ in
            let release = DispatchSemaphore(value: 0)
            let holder = await database.hold(.readCommitted, until: release) { try set("a", 1, $0) }
            await #expect(throws: OverloadError.self) {
                try await database.write(.readCommitted) { try set("a", 2, $0) }
            }
            release.signal()
            try await holder.value
            await #expect(throws: OverloadError.self) {
                try await database.read { _ = try $0.rows("SELECT pg_sleep(20)", []) }
            }
            #expect(try await stored("a", database) == 1)
        }
    }

    // MARK: Statements and values
    @Test func `Prepared statements are cached up to 256, and more than that still work`() async throws {
        try await open({ $0.connections = 1 }) { database, _ in
            for _ in 0..<2 {
                let sums = try await database.write { connection in
                    try (0..<300).map { number in
                        try connection.row("SELECT CAST(? AS BIGINT) + \(number)", [.integer(1)])?.int(0)
                    }
                }
                #expect(sums == (1...300).map { $0 })
            }
            let kept = try await database.write {
                try $0.row("SELECT COUNT(*) FROM pg_prepared_statements", [])?.int(0)
            }
            #expect(kept == 256)
        }
    }

    @Test func `Query plans are not JIT-compiled, even if the database enables it`() async throws {
        try await open { database, address in
            try await database.write {
                try $0.script(
                    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$")
            }
            let later = PostgresDatabase(address)
            #expect(try await later.read { try $0.row("SELECT current_setting('jit')", [])?.text(0) } == "off")
            try await later.close()
        }
    }

    @Test func `Values are read as they were written`() async throws {
        try await open { database, _ in
            let large = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            let values: [[SQLValue]] = [
                [.text("plain"), .blob(Data()), .integer(Int64.max)], [.text(""), .null, .integer(Int64.min)],
                [.text("Käse 🦘 '\"\\?$1\n"), .blob(Data([0, 1, 255])), .null],
                [.text("large"), .blob(large), .integer(0)],
            ]
            try await database.write { connection in
                for value in values {
                    try connection.run("INSERT INTO things (id, bytes, number) VALUES (?, ?, ?)", value)
                }
            }
            for value in values {
                let row = try await database.read {
                    try $0.row("SELECT id, bytes, number FROM things WHERE id = ?", [value[0]])
                }
                let found = try #require(row)
                #expect(try SQLValue.text(found.text(0)) == value[0])
                #expect(try found.optional(1, SQLRow.data).map(SQLValue.blob) ?? .null == value[1])
                #expect(try found.optional(2, SQLRow.integer).map(SQLValue.integer) ?? .null == value[2])
            }
            let sums = try await database.read { connection in
                try ["10000", "-9223372036854775808", "9223372036854775807", "0", "120000000"].map {
                    try connection.row("SELECT CAST(\($0) AS NUMERIC)", [])?.integer(0)
                }
            }
            #expect(sums == [10_000, .min, .max, 0, 120_000_000])
        }
    }

    @Test func `A text with a NUL equals nothing and cannot be stored`() async throws {
        try await open { database, _ in
            try await database.write { connection in
                #expect(try connection.row("SELECT value FROM counters WHERE id = ?", [.text("a\0")]) == nil)
                let found = try connection.rows(
                    "SELECT value FROM counters WHERE id IN (?, ?)", [.text("a\0b"), .text("b")])
                #expect(found.count == 1)
            }
            await #expect(throws: StorageError.self) {
                try await database.write { try $0.run("INSERT INTO things (id) VALUES (?)", [.text("a\0b")]) }
            }
            #expect(try await database.read { try $0.rows("SELECT id FROM things", []).count } == 0)
        }
    }

    // MARK: Several processes
    @Test(.inFolder) func `Concurrent processes that migrate one database agree on the signing key`() async throws {
        let fresh = try await TestDatabase(in: TemporaryFolder.current, isFresh: true)
        let keys = try await parallel(6) { _ in
            let (database, _, environment) = try await ServerConfiguration(database: fresh.address).open()
            return try await withCleanup(database.close) { try await KeyRing(environment).current.id }
        }
        #expect(Set(keys).count == 1)
    }
}

@Suite("PostgreSQL placeholders")
struct PlaceholdersTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1"),
        ("a = ? AND b = ?", "a = $1 AND b = $2"),
        ("'?' = ? AND \"?\" = ?", "'?' = $1 AND \"?\" = $2"),
        ("'it''s ?' = ?", "'it''s ?' = $1"),
        ("? -- why?\n, ?", "$1 -- why?\n, $2"),
        ("? /* ? '*/ ?", "$1 /* ? '*/ $2"),
        ("'é?' = ?", "'é?' = $1"),
        ("? - ? / ?", "$1 - $2 / $3"),
        ("? /*/ ? */ ?", "$1 /*/ ? */ $2"),
        ("? = '?", "$1 = '?"),
    ])
    func `Each placeholder outside quotes and comments is numbered`(sql: String, numbered: String) {
        #expect(Placeholders.numbered(sql) == numbered)
    }
}
