import Foundation
import GRDB
import PouchDomain
import Synchronization

/// An embedded database in one file, in WAL mode with full durability: a pool of readers, and one writer that groups
/// waiting transactions into one commit, each in its own savepoint.
public final class SQLiteDatabase: Database {
    private let pool: DatabasePool
    private let waitingBound: Int
    private let waitingTime: Duration
    private let reads = Atomic(0)
    private let files: SQLiteFiles
    private let queue = Mutex(Queue())
    private let hub = NotificationHub()
    /// The commits, by the number of transactions in each.
    public let commits = CommitSizes(bound: groupSize)

    private struct Queue {
        var waiting: [any PendingWrite] = []
        var isDraining = false
    }

    /// The maximum number of transactions in one commit, which limits their wait.
    private static let groupSize = 128

    /// Opens or creates the file and its folder.
    ///
    /// - Parameters:
    ///   - waitingBound: the maximum number of transactions that wait for the writer, and of those that read.
    ///   - waitingTime: the time after which a transaction is no longer started when its turn comes.
    /// - Throws: `StorageError.cannotOpen`, `.logWithoutDatabase`.
    public init(path: String, waitingBound: Int = 2_000, waitingTime: Duration = .seconds(10)) throws {
        self.waitingBound = waitingBound
        self.waitingTime = waitingTime
        do {
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The log first: another process that is creating the file creates the log after it.
            guard access(path + "-wal", F_OK) != 0 || access(path, F_OK) == 0 else {
                throw StorageError.logWithoutDatabase(path: path)
            }
            try Self.createPrivately(path)
            var configuration = Configuration()
            configuration.busyMode = .timeout(10)
            configuration.maximumReaderCount = 4
            configuration.persistentReadOnlyConnections = true
            configuration.label = "pouch"
            pool = try Self.makePool(path, configuration)
            files = try SQLiteFiles(path)
            // A pool sets NORMAL when it opens, which can lose the last commits in a power failure. The journal that
            // rolls back a savepoint would become a file at 16 pages, which a checkout changes; writes are small enough
            // for memory, and imports take several.
            try pool.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY")
            }
        } catch let error as DatabaseError {
            throw StorageError.cannotOpen(path: path, reason: error.message ?? "\(error.resultCode)")
        } catch is CocoaError {
            throw StorageError.cannotOpen(path: path, reason: "cannot create its folder")
        }
    }

    /// Creates the file for its owner only, since it contains password hashes and signing keys. Another process may
    /// create it at the same time.
    private static func createPrivately(_ path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        if descriptor >= 0 {
            try FileHandle(fileDescriptor: descriptor).close()
        } else if errno != EEXIST {
            throw StorageError.cannotOpen(path: path, reason: "cannot create the file")
        }
    }

    /// SQLite does not wait for the lock with which a new file enters WAL mode; another process may hold it.
    private static func makePool(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        let end = ContinuousClock.now + .seconds(10)
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// - Throws: `OverloadError` when too many transactions read, or the wait is too long; the errors of the body.
    public func read<Value: Sendable>(_ body: @escaping SQLTransaction<Value>) async throws -> Value {
        let deadline = ContinuousClock.now + waitingTime
        defer { reads.wrappingSubtract(1, ordering: .relaxed) }
        guard reads.wrappingAdd(1, ordering: .relaxed).newValue <= waitingBound else {
            throw OverloadError(retryAfterSeconds: 1)
        }
        do {
            return try await pool.read {
                guard ContinuousClock.now < deadline else { throw OverloadError(retryAfterSeconds: 1) }
                return try body(SQLiteConnection(database: $0, notifications: .init()))
            }
        } catch {
            throw files.translated(error)
        }
    }

    /// - Throws: `OverloadError` when too many transactions wait, or the wait is too long; the errors of the body.
    public func write<Value: Sendable>(
        _ isolation: Isolation, _ body: @escaping SQLTransaction<Value>
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let write = Write(body: body, deadline: .now + waitingTime, files: files, continuation: continuation)
            let (isTaken, mustStart) = queue.withLock { queue in
                guard queue.waiting.count < waitingBound else { return (false, false) }
                queue.waiting.append(write)
                defer { queue.isDraining = true }
                return (true, !queue.isDraining)
            }
            if mustStart { pool.asyncWriteWithoutTransaction { self.drain($0) } }
            if !isTaken { continuation.resume(throwing: OverloadError(retryAfterSeconds: 1)) }
        }
    }

    public func notifications() -> AsyncStream<DatabaseNotification> { hub.listen() }

    public func close() async throws {
        hub.close()
        // Runs after all waiting transactions.
        _ = try await pool.writeWithoutTransaction { _ in }
        // Waits for the readers.
        try await blocking { [pool] in try pool.close() }
    }

    /// Copies the current state of the database into a new file, without blocking other transactions.
    ///
    /// - Parameter progress: called with the number of copied pages and the total number of pages.
    public func backup(to path: String, progress: @escaping @Sendable (Int, Int) -> Void) async throws {
        try Self.createPrivately(path)
        try await blocking { [pool] in
            let destination = try DatabaseQueue(path: path)
            try pool.backup(to: destination, pagesPerStep: 1_000) {
                progress($0.completedPageCount, $0.totalPageCount)
            }
            try destination.close()
        }
    }

    /// Runs work that blocks on a thread of its own. Tasks, which readers need to end, share theirs with global queues.
    private func blocking(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    // MARK: The writer

    private func drain(_ database: GRDB.Database) {
        while true {
            let group = queue.withLock { queue in
                let group = Array(queue.waiting.prefix(Self.groupSize))
                queue.waiting.removeFirst(group.count)
                if group.isEmpty { queue.isDraining = false }
                return group
            }
            if group.isEmpty { return }
            commit(group, on: database)
        }
    }

    /// Runs each write in a savepoint and commits them together; a write that throws is rolled back on its own. Writes
    /// succeed only after the commit.
    private func commit(_ group: [any PendingWrite], on database: GRDB.Database) {
        do {
            try files.checkRoom()
            try files.checkPlace()
            try database.beginTransaction(.immediate)
        } catch {
            for write in group { write.fail(files.translated(error)) }
            return
        }
        for write in group {
            // After SQLite has rolled back the transaction, for example on a full disk, a further statement would
            // commit by itself.
            guard database.isInsideTransaction else { break }
            write.run(on: database)
        }
        do {
            guard database.isInsideTransaction else { throw lostGroup(group) }
            try database.commit()
            // A commit into a deleted file is lost when this process ends.
            do { try files.checkPlace() } catch { throw CommitUnknownError() }
            commits.note(group.count)
            for write in group {
                hub.send(write.notifications)
                write.succeed()
            }
        } catch {
            if database.isInsideTransaction { try? database.rollback() }
            for write in group { write.fail(files.translated(error)) }
        }
    }

    /// The error for the other writes of a group that SQLite has rolled back. The write that it was running knows the
    /// reason, unless it has failed with an error of its own, which means nothing to the others.
    private func lostGroup(_ group: [any PendingWrite]) -> UnavailableError {
        let cause = group.compactMap(\.failure).last.map(files.translated)
        return cause as? UnavailableError ?? UnavailableError(reason: "SQLite rolled back a group of transactions")
    }
}

/// Counts of commits by the number of transactions that each made durable.
public final class CommitSizes: Sendable {
    private let counts: Mutex<[Int]>

    /// - Parameter bound: the maximum number of transactions in a commit.
    init(bound: Int) {
        counts = Mutex(Array(repeating: 0, count: bound + 1))
    }

    fileprivate func note(_ transactions: Int) {
        counts.withLock { $0[min(transactions, $0.count - 1)] += 1 }
    }

    /// The number of commits with 0, 1, 2 and more transactions.
    public var all: [Int] { counts.withLock { $0 } }
}

/// A transaction that waits for the writer.
private protocol PendingWrite: AnyObject, Sendable {
    func run(on database: GRDB.Database)
    /// The error of the transaction; nil when it has succeeded, or has not run.
    var failure: (any Error)? { get }
    /// The texts to send after the commit.
    var notifications: [String] { get }
    /// Called when the commit is durable.
    func succeed()
    /// Called when there was no commit.
    func fail(_ error: any Error)
}

/// `@unchecked Sendable`: passed from the caller to the writer's queue under a lock, and used only there.
private final class Write<Value: Sendable>: PendingWrite, @unchecked Sendable {
    private let body: SQLTransaction<Value>
    private let deadline: ContinuousClock.Instant
    private let files: SQLiteFiles
    private let continuation: CheckedContinuation<Value, any Error>
    private var result: Result<Value, any Error>?
    private(set) var notifications: [String] = []

    var failure: (any Error)? { if case .failure(let error) = result { error } else { nil } }

    init(
        body: @escaping SQLTransaction<Value>, deadline: ContinuousClock.Instant, files: SQLiteFiles,
        continuation: CheckedContinuation<Value, any Error>
    ) {
        self.body = body
        self.deadline = deadline
        self.files = files
        self.continuation = continuation
    }

    func run(on database: GRDB.Database) {
        do {
            guard ContinuousClock.now < deadline else { throw OverloadError(retryAfterSeconds: 1) }
            let connection = SQLiteConnection(database: database, notifications: .init())
            result = .success(try connection.inSavepoint(body))
            notifications = connection.notifications.texts
        } catch {
            result = .failure(error)
        }
    }

    func succeed() {
        let result = result ?? .failure(StorageError.corrupt("a savepoint ended without a result"))
        continuation.resume(with: result.mapError(files.translated))
    }

    func fail(_ error: any Error) {
        if case .failure(let own) = result {
            continuation.resume(throwing: files.translated(own))
        } else {
            continuation.resume(throwing: error)
        }
    }
}
