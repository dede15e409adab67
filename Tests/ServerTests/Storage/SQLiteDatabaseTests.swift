import ServerTesting
import Synchronization
import Testing

@Suite("The embedded database", .timeLimit(.minutes(5)), .inFolder)
struct SQLiteDatabaseTests {
    private let folder = TemporaryFolder.current.appending(path: "deep/er")
    private let database: SQLiteDatabase

    init() async throws {
        database = try SQLiteDatabase(path: folder.appending(path: "test.sqlite").path)
        try await database.write { try $0.script("CREATE TABLE numbers (number INTEGER PRIMARY KEY)") }
    }

    private func numbers(_ database: any Database) async throws -> [Int] {
        try await database.read { try $0.rows("SELECT number FROM numbers ORDER BY number", []).map { try $0.int(0) } }
    }

    @Test func `The writer syncs every commit to disk and enforces foreign keys`() async throws {
        let full = 2
        let found = try await database.write { connection in
            try ["synchronous", "foreign_keys"].map { try connection.row("PRAGMA \($0)", [])?.int(0) }
        }
        #expect(found == [full, 1])
        #expect(try await database.write { try $0.row("PRAGMA journal_mode", [])?.text(0) } == "wal")
    }

    @Test func `Too few or too many arguments fail, and so does a number beyond 64 bits`() async throws {
        for arguments in [[SQLValue.integer(1)], [.integer(1), .integer(2), .integer(3)]] {
            await #expect(throws: (any Error).self) {
                try await database.read { try $0.rows("SELECT ?, ?", arguments) }
            }
        }
        for number in ["9e300", "-9e300", "1e999"] {
            await #expect(throws: StorageError.self) {
                try await database.read { try $0.row("SELECT \(number)", [])?.integer(0) }
            }
        }
        #expect(try await database.read { try $0.row("SELECT ?, ?", [.integer(1), .null])?.int(0) } == 1)
    }

    @Test func `Only the owner can read the database files`() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names).isSuperset(of: ["test.sqlite", "test.sqlite-wal"]))
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(name)")
        }
    }

    @Test func `A failed write leaves nothing, and other writes in the same commit stay`() async throws {
        let results = try await parallel(300) { number in
            do {
                try await database.write { connection in
                    try connection.insert(number)
                    if number.isMultiple(of: 3) { throw Refused(number: number) }
                    // Fails, since the number exists.
                    if number % 3 == 1 { try connection.insert(number) }
                }
                return "written"
            } catch let error as Refused {
                return error.number == number ? "refused" : "another write's error"
            } catch { return "failed" }
        }
        for (number, result) in results.enumerated() {
            #expect(result == ["refused", "failed", "written"][number % 3])
        }
        #expect(try await numbers(database) == (0..<300).filter { $0 % 3 == 2 })
    }

    private struct Refused: Error { let number: Int }

    @Test func `A write is visible to every reader once it has returned`() async throws {
        let seen = try await parallel(60) { number in
            try await database.write { try $0.insert(number) }
            return try await numbers(database).contains(number)
        }
        #expect(!seen.contains(false))
    }

    @Test func `A read transaction cannot write`() async throws {
        await #expect(throws: (any Error).self) { try await database.read { try $0.insert(1) } }
        #expect(try await numbers(database).isEmpty)
    }

    @Test func `Two connections to one file write in turns without errors`() async throws {
        let other = try SQLiteDatabase(path: folder.appending(path: "test.sqlite").path)
        _ = try await parallel(100) { number in
            try await (number.isMultiple(of: 2) ? database : other).write { try $0.insert(number) }
        }
        #expect(try await numbers(other) == Array(0..<100))
        try await other.close()
    }

    @Test func `Connections that create the file at the same time all write to it`() async throws {
        for round in 0..<20 {
            let path = folder.appending(path: "\(round)/test.sqlite").path
            let databases = try await parallel(4) { number in
                let database = try SQLiteDatabase(path: path)
                try await database.write {
                    try $0.script("CREATE TABLE IF NOT EXISTS numbers (number INTEGER)")
                    try $0.insert(number)
                }
                return database
            }
            for database in databases {
                #expect(try await numbers(database) == [0, 1, 2, 3])
                try await database.close()
            }
        }
    }

    @Test func `Writes beyond the waiting bound are refused as overload, and the waiting ones succeed`() async throws {
        let path = folder.appending(path: "test.sqlite").path
        let (database, other) = (try SQLiteDatabase(path: path, waitingBound: 3), try SQLiteDatabase(path: path))
        let release = DispatchSemaphore(value: 0)
        let holder = await other.hold(until: release) { try $0.insert(1_000) }
        let (refusals, refused) = AsyncStream<OverloadError>.makeStream()
        let writes = (0..<50).map { number in
            Task {
                do {
                    try await database.write { try $0.insert(number) }
                    return true
                } catch let error as OverloadError {
                    refused.yield(error)
                    return false
                }
            }
        }
        // At most three writes are in the blocked commit, and three wait for it.
        for await error in refusals.prefix(44) { #expect(error.retryAfterSeconds == 1) }
        release.signal()
        try await holder.value
        var written: [Int] = []
        for (number, write) in writes.enumerated() where try await write.value { written.append(number) }
        #expect((3...6).contains(written.count))
        #expect(try await numbers(database) == written + [1_000])
        try await database.write { try $0.insert(2_000) }
        try await database.close()
        try await other.close()
    }

    @Test func `When SQLite rolls back a group, its writes are unavailable, and one has its own error`() async throws {
        let database = try SQLiteDatabase(
            path: folder.appending(path: "test.sqlite").path, waitingBound: 11, waitingTime: .seconds(300))
        let release = DispatchSemaphore(value: 0)
        let holder = await database.hold(until: release) { try $0.insert(1_000) }
        let (answers, answer) = AsyncStream<(any Error)?>.makeStream()
        // The others form one group once one is refused. At least one of the two that fail is among them.
        for number in 0..<12 {
            Task {
                do {
                    try await database.write { connection in
                        guard number >= 10 else { return try connection.insert(number) }
                        _ = try? connection.run("INSERT OR ROLLBACK INTO numbers VALUES (1000)", [])
                        throw Refused(number: number)
                    }
                    answer.yield(nil)
                } catch {
                    answer.yield(error)
                }
            }
        }
        var errors: [(any Error)?] = []
        for await error in answers.prefix(12) {
            if errors.isEmpty { release.signal() }
            errors.append(error)
        }
        try await holder.value
        #expect(errors.count { $0 is OverloadError } == 1)
        #expect(errors.count { $0 is Refused } == 1)
        #expect(errors.count { $0 is UnavailableError } == 10)
        #expect(try await numbers(database) == [1_000])
        try await database.close()
    }

    @Test func `Reads beyond the waiting bound, or that wait too long, are refused as overload`() async throws {
        let database = try SQLiteDatabase(
            path: folder.appending(path: "test.sqlite").path, waitingBound: 6, waitingTime: .seconds(1))
        let release = DispatchSemaphore(value: 0)
        let (begun, beginning) = AsyncStream<Void>.makeStream()
        // All readers.
        let holders = (0..<4).map { _ in
            Task {
                try await database.read { _ in
                    beginning.yield()
                    release.wait()
                }
            }
        }
        for await _ in begun.prefix(4) {}
        let (answers, answer) = AsyncStream<Result<Void, any Error>>.makeStream()
        for _ in 0..<5 {
            Task {
                do { answer.yield(.success(try await database.read { _ in })) } catch { answer.yield(.failure(error)) }
            }
        }
        // Two may wait, and three are refused at once.
        for await refused in answers.prefix(3) { #expect(throws: OverloadError.self) { try refused.get() } }
        try await Task.sleep(for: .seconds(1.2))
        for _ in 0..<4 { release.signal() }
        for await refused in answers.prefix(2) { #expect(throws: OverloadError.self) { try refused.get() } }
        for holder in holders { try await holder.value }
        try await database.read { _ in }
        try await database.close()
    }

    @Test func `A backup during writes has one consistent state`() async throws {
        let pairs = 10_000
        try await database.write {
            try $0.script(
                """
                CREATE TABLE pairs (a INTEGER, b INTEGER, filler TEXT);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(pairs))
                INSERT INTO pairs SELECT i, i, hex(randomblob(500)) FROM n;
                """)
        }
        let copy = folder.appending(path: "copy.sqlite").path
        let written = DispatchSemaphore(value: 0)
        let writer = Task {
            while !Task.isCancelled {
                try await database.write { connection in
                    try connection.run("UPDATE pairs SET a = a + 1", [])
                    try connection.run("UPDATE pairs SET b = b + 1", [])
                }
                written.signal()
            }
        }
        let steps = Atomic(0)
        try await database.backup(to: copy) { _, _ in
            steps.wrappingAdd(1, ordering: .relaxed)
            // Something is written before the next step, on threads of the database.
            while written.wait(timeout: .now()) == .success {}
            written.wait()
        }
        writer.cancel()
        try await writer.value
        #expect(steps.load(ordering: .relaxed) > 1)
        let backup = try SQLiteDatabase(path: copy)
        let found = try await backup.write { connection in
            (
                try connection.row("PRAGMA integrity_check", [])?.text(0),
                try connection.row("SELECT COUNT(*), SUM(a <> b) FROM pairs", []).map {
                    [try $0.int(0), try $0.int(1)]
                }
            )
        }
        #expect(found.0 == "ok" && found.1 == [pairs, 0])
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try await backup.close()
    }

    /// In a process of its own, since tasks that are blocked would stop all tests. Readers need a task to end.
    @Test func `Databases that wait for their readers when they close block no task`() async {
        await #expect(processExitsWith: .success) {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 120)
                exit(EXIT_FAILURE)
            }
            let end = DispatchSemaphore(value: 0)
            let databases = 0...ProcessInfo.processInfo.activeProcessorCount
            try await TemporaryFolder.use { folder in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in databases {
                        let database = try SQLiteDatabase(path: folder.appending(path: "\(number).sqlite").path)
                        let (started, starting) = AsyncStream.makeStream(of: Never.self)
                        group.addTask {
                            try await database.read { _ in
                                starting.finish()
                                end.wait()
                            }
                        }
                        for await _ in started {}
                        group.addTask { try await database.close() }
                    }
                    for _ in 0..<10_000 { await Task.yield() }
                    for _ in databases { end.signal() }
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func `A database that accepts no changes is unavailable for writes, and can be read`() async throws {
        // SQLite then fails as on a disk that is mounted for reading.
        try await database.write { try $0.script("PRAGMA query_only = 1") }
        await #expect(throws: UnavailableError.self) { try await database.write { try $0.insert(1) } }
        #expect(try await numbers(database) == [])
    }

    @Test func `A log without its database is kept until the database is back`() async throws {
        let (file, moved) = (folder.appending(path: "test.sqlite"), folder.appending(path: "moved"))
        try await database.write { try $0.insert(1) }
        try FileManager.default.moveItem(at: file, to: moved)
        #expect(throws: StorageError.logWithoutDatabase(path: file.path)) { try SQLiteDatabase(path: file.path) }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.moveItem(at: moved, to: file)
        try await database.write { try $0.insert(2) }
        let other = try SQLiteDatabase(path: file.path)
        #expect(try await numbers(other) == [1, 2])
        try await other.close()
    }

    @Test func `A path that cannot be opened is reported`() async throws {
        let file = folder.appending(path: "file")
        try Data("this is not a database, but long enough to be read as one".utf8).write(to: file)
        for path in [file.path, folder.path, file.appending(path: "below.sqlite").path] {
            let error = #expect(throws: StorageError.self) { try SQLiteDatabase(path: path) }
            if case .cannotOpen(path, _)? = error {} else { Issue.record("\(String(describing: error))") }
        }
    }
}

extension SQLConnection {
    fileprivate func insert(_ number: Int) throws {
        try run("INSERT INTO numbers (number) VALUES (?)", [.integer(number)])
    }
}
