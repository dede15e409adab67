#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchJSON

    /// A local store in one SQLite file in WAL mode, which several processes may share:
    ///
    ///     let store = try await SQLiteStore.open(at: file)
    ///     let pouch = Pouch(server: server, store: store)
    ///
    /// Its methods do not block the cooperative pool, and complete even if the calling task is cancelled.
    public final class SQLiteStore: LocalStore {
        let pool: DatabasePool
        private let file: StoreFile
        /// The unusable file that was found at the store's location, if any.
        public let setAside: SetAsideFile?

        private init(_ pool: DatabasePool, in file: StoreFile, setAside: SetAsideFile?) {
            self.pool = pool
            self.file = file
            self.setAside = setAside
        }

        /// Opens the file, or creates it with mode 0600 and missing folders with mode 0700. A damaged file, or one of
        /// another program, is set aside, and `setAside` reports it.
        ///
        /// - Parameter now: the current time, which is used in the name of a file that is set aside.
        /// - Throws: `.newerVersion` for a file of a later version, which is not changed, because it may contain writes
        ///   that only that version can complete. `.unavailable`.
        public static func open(at file: URL, now: Date = Date()) async throws(StoreError) -> SQLiteStore {
            let file = StoreFile(file)
            let store: SQLiteStore
            do {
                let (pool, setAside) = try await file.open(now: now)
                store = SQLiteStore(pool, in: file, setAside: setAside)
            } catch {
                throw StoreError(error)
            }
            try await store.write { try CatalogWriter($0).dropDraft() }
            return store
        }

        /// Closes the file. The store must not be used afterwards.
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

        /// A write that survives a power failure, at the cost of a wait for the disk.
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

        /// Also removes deleted data from the write-ahead log, unless a reader needs it.
        func truncateLog() async {
            await withCheckedContinuation { continuation in
                pool.asyncWriteWithoutTransaction { database in
                    _ = try? database.checkpoint(.truncate)
                    continuation.resume()
                }
            }
        }

        // MARK: JSON

        func decode<Value: JSONCodable>(_ type: Value.Type, _ json: Data) throws(StoreError) -> Value {
            do {
                return try Value(json: json)
            } catch {
                throw StoreError(.damaged, log: "\(type) cannot be read")
            }
        }

        func encode(_ value: some JSONCodable) throws(StoreError) -> Data {
            do {
                return try value.json()
            } catch {
                throw StoreError(.unavailable, log: "\(type(of: value)) cannot be encoded")
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
