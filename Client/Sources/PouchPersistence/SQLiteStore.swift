#if Persistence
    import Foundation
    import GRDB
    import PouchData

    /// A local store in one file of SQLite, in WAL mode. Several processes may share it.
    ///
    /// Nothing here blocks the cooperative pool, and nothing is cut short when the task that asked is cancelled.
    public final class SQLiteStore: LocalStore {
        let pool: DatabasePool
        private let file: StoreFile
        let onImport: @Sendable (ImportTimes) -> Void
        /// What stood in the place of the file and could not be used.
        public let setAside: SetAsideFile?

        private init(
            _ pool: DatabasePool, in file: StoreFile, setAside: SetAsideFile?,
            onImport: @escaping @Sendable (ImportTimes) -> Void
        ) {
            self.pool = pool
            self.file = file
            self.setAside = setAside
            self.onImport = onImport
        }

        /// Opens the file, or makes it with mode 0600, and missing folders with 0700. A file that is damaged or of something
        /// else is set aside, and `setAside` tells.
        ///
        /// - Parameters:
        ///   - now: names what is set aside.
        ///   - onImport: told how long each batch of products took, from any thread.
        /// - Throws: `.newerVersion` for a file of a later version, which is left as it is: it may hold writes that only that
        ///   version can bring to their end. `.unavailable`.
        public static func open(
            at file: URL, now: Date = Date(), onImport: @escaping @Sendable (ImportTimes) -> Void = { _ in }
        ) async throws(StoreError) -> SQLiteStore {
            let file = StoreFile(file)
            let store: SQLiteStore
            do {
                let (pool, setAside) = try await file.open(now: now)
                store = SQLiteStore(pool, in: file, setAside: setAside, onImport: onImport)
            } catch {
                throw StoreError(error)
            }
            try await store.write { try CatalogWriter($0).dropDraft() }
            return store
        }

        /// Closes the file; nothing may be asked of the store after that.
        public func close() async throws(StoreError) {
            await truncateLog()
            do {
                try await file.close(pool)
            } catch {
                throw StoreError(error)
            }
        }

        func read<Value: Sendable>(
            _ work: @escaping @Sendable (Database) throws -> Value
        ) async throws(StoreError) -> Value {
            try Self.result(
                await withCheckedContinuation { continuation in
                    pool.asyncRead { database in
                        continuation.resume(returning: database.flatMap { database in Result { try work(database) } })
                    }
                })
        }

        func write<Value: Sendable>(
            _ work: @escaping @Sendable (Database) throws -> Value
        ) async throws(StoreError) -> Value {
            try Self.result(
                await withCheckedContinuation { continuation in
                    pool.asyncWrite(work) { _, result in continuation.resume(returning: result) }
                })
        }

        /// A write that also outlives a loss of power, which takes a wait for the disk.
        func writeDurably<Value: Sendable>(
            _ work: @escaping @Sendable (Database) throws -> Value
        ) async throws(StoreError) -> Value {
            try Self.result(
                await withCheckedContinuation { continuation in
                    pool.asyncWriteWithoutTransaction { database in
                        continuation.resume(
                            returning: Result {
                                try database.execute(sql: "PRAGMA synchronous = FULL")
                                defer { try? database.execute(sql: "PRAGMA synchronous = NORMAL") }
                                var value: Value?
                                try database.inTransaction(.immediate) {
                                    value = try work(database)
                                    return .commit
                                }
                                guard let value else { throw StoreError(.unavailable) }
                                return value
                            })
                    }
                })
        }

        /// Takes what was removed out of the write-ahead log, too, as far as no reader needs it.
        func truncateLog() async {
            await withCheckedContinuation { continuation in
                pool.asyncWriteWithoutTransaction { database in
                    _ = try? database.checkpoint(.truncate)
                    continuation.resume()
                }
            }
        }

        private static func result<Value>(_ result: Result<Value, any Error>) throws(StoreError) -> Value {
            do {
                return try result.get()
            } catch {
                throw StoreError(error)
            }
        }
    }

    extension StoreError {
        fileprivate init(_ error: any Error) {
            switch error {
            case let error as StoreError: self = error
            case let error as DatabaseError:
                self.init(error.isDamage ? .damaged : .unavailable, log: error.logText)
            default: self.init(.unavailable, log: "\(type(of: error))")
            }
        }
    }
#endif
