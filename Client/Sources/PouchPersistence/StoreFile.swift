#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchNetwork

    /// The file of a store. Its methods block, so they run on their own thread.
    actor StoreFile {
        /// The `PRAGMA application_id` of a Pouch store: "Pouc".
        private static let mark: Int64 = 0x506f_7563

        private let url: URL
        private let thread = FileThread()

        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(_ url: URL) {
            self.url = url
        }

        private struct Unusable: Error {
            let reason: SetAsideFile.Reason
        }

        /// Opens or creates the database, which only the user can read. An unusable file is set aside first.
        func open(now: Date) throws -> (pool: DatabasePool, setAside: SetAsideFile?) {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            do {
                return (try openUsable(), nil)
            } catch let unusable as Unusable {
                let setAside = SetAsideFile(reason: unusable.reason, movedTo: try setAside(now: now))
                return (try openUsable(), setAside)
            }
        }

        func close(_ pool: DatabasePool) throws {
            try pool.close()
        }

        private func openUsable() throws -> DatabasePool {
            try makePrivate()
            do {
                try check()
                let pool = try makePool()
                do {
                    // Set before the tables exist, so that another process never sees them without the mark.
                    try pool.writeWithoutTransaction { database in
                        try database.execute(sql: "PRAGMA application_id = \(Self.mark)")
                    }
                    try migrate(pool)
                    return pool
                } catch {
                    try? pool.close()
                    throw error
                }
            } catch let error as DatabaseError where error.isDamage {
                throw Unusable(reason: .damaged(error.logText))
            }
        }

        /// SQLite does not wait for the lock with which a new file enters WAL mode; another process may hold it.
        private func makePool() throws -> DatabasePool {
            let end = ContinuousClock.now + .seconds(10)
            while true {
                do {
                    return try DatabasePool(path: url.path, configuration: Self.configuration)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end {
                    Thread.sleep(forTimeInterval: 0.01)
                }
            }
        }

        private func migrate(_ pool: DatabasePool) throws {
            // Another process may run the same migrations at the same time.
            for _ in StoreMigrations.migrator.migrations {
                if (try? StoreMigrations.migrator.migrate(pool)) != nil { return }
            }
            try StoreMigrations.migrator.migrate(pool)
        }

        /// Creates the file so that only its user can access it. SQLite applies its mode to the WAL files.
        private func makePrivate() throws {
            let manager = FileManager.default
            do {
                // Must not replace the file that another process creates at the same time.
                if !manager.fileExists(atPath: url.path) { try Data().write(to: url, options: .withoutOverwriting) }
            } catch {
                guard manager.fileExists(atPath: url.path) else { throw error }
            }
            try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        }

        private static var configuration: Configuration {
            var configuration = Configuration()
            configuration.label = "pouch.store"
            configuration.busyMode = .timeout(10)
            configuration.maximumReaderCount = 2
            configuration.prepareDatabase { database in
                // Deleted rows may contain payment tokens.
                try database.execute(sql: "PRAGMA secure_delete = ON")
            }
            return configuration
        }

        /// Only reads, because the file may belong to another program.
        private func check() throws {
            var configuration = Self.configuration
            configuration.readonly = true
            let database = try DatabaseQueue(path: url.path, configuration: configuration)
            defer { try? database.close() }
            try database.read { database in
                let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_schema") ?? 0
                guard tables > 0 else { return }
                guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == Self.mark else {
                    throw Unusable(reason: .foreign)
                }
                let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? ""
                guard result == "ok" else { throw Unusable(reason: .damaged(result)) }
                guard try !StoreMigrations.isNewer(database) else { throw StoreError(.newerVersion) }
            }
        }

        /// Renames the file and its WAL files, and removes an earlier file that was set aside.
        private func setAside(now: Date) throws -> URL {
            let manager = FileManager.default
            let folder = url.deletingLastPathComponent()
            let prefix = url.lastPathComponent + ".set-aside-"
            for name in try manager.contentsOfDirectory(atPath: folder.path) where name.hasPrefix(prefix) {
                try manager.removeItem(at: folder.appendingPathComponent(name))
            }
            let target = folder.appendingPathComponent(prefix + String(Int64(now.timeIntervalSince1970)))
            try manager.moveItem(at: url, to: target)
            for suffix in ["-wal", "-shm"] where manager.fileExists(atPath: url.path + suffix) {
                try manager.moveItem(atPath: url.path + suffix, toPath: target.path + suffix)
            }
            return target
        }
    }

    /// An unusable file at the store's location, which was renamed before an empty store was created.
    public struct SetAsideFile: Sendable, Hashable {
        public enum Reason: Sendable, Hashable {
            /// The file is damaged. The text is for logs.
            case damaged(String)
            /// The file is a database of another program.
            case foreign
        }

        public let reason: Reason
        /// The file's new location, next to the store. It is removed when another file is set aside.
        public let movedTo: URL
    }

    extension DatabaseError {
        var isDamage: Bool {
            [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode)
        }

        /// Without the statement and its arguments, which may be secret.
        var logText: String { "\(resultCode.rawValue) \(message ?? "")" }
    }
#endif
