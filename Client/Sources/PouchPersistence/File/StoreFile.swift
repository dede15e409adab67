#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchNetwork

    /// The file in which a store lives. All of this blocks, so it has a thread of its own.
    actor StoreFile {
        /// Marks a database as one of ours (`PRAGMA application_id`): "Pouc".
        private static let mark: Int64 = 0x506f_7563

        private let url: URL
        private let thread = FileThread()

        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(_ url: URL) {
            self.url = url
        }

        private enum Unusable: Error {
            case foreign
            case damaged(String)
        }

        /// Opens the database, or makes it, readable by its owner alone. One that cannot be used is set aside first.
        func open(now: Date) throws -> (pool: DatabasePool, setAside: SetAsideFile?) {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            do {
                return (try openUsable(), nil)
            } catch let unusable as Unusable {
                let reason: SetAsideFile.Reason =
                    switch unusable {
                    case .foreign: .foreign
                    case .damaged(let text): .damaged(text)
                    }
                let setAside = SetAsideFile(reason: reason, movedTo: try setAside(now: now))
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
                let pool = try DatabasePool(path: url.path, configuration: Self.configuration)
                do {
                    // Before the tables, so that another process never sees these without the mark.
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
                throw Unusable.damaged(error.logText)
            }
        }

        private func migrate(_ pool: DatabasePool) throws {
            // Another process may make the same steps at the same time.
            for _ in StoreMigrations.migrator.migrations {
                if (try? StoreMigrations.migrator.migrate(pool)) != nil { return }
            }
            try StoreMigrations.migrator.migrate(pool)
        }

        /// Files beside the database get its mode from SQLite.
        private func makePrivate() throws {
            let manager = FileManager.default
            do {
                // Never in the place of what another process makes at the same time.
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
                // What is removed may have been a payment token.
                try database.execute(sql: "PRAGMA secure_delete = ON")
            }
            return configuration
        }

        /// Changes nothing, since the file may be somebody else's.
        private func check() throws {
            var configuration = Self.configuration
            configuration.readonly = true
            let database = try DatabaseQueue(path: url.path, configuration: configuration)
            defer { try? database.close() }
            try database.read { database in
                let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_schema") ?? 0
                guard tables > 0 else { return }
                guard try Int64.fetchOne(database, sql: "PRAGMA application_id") == Self.mark else {
                    throw Unusable.foreign
                }
                let result = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? ""
                guard result == "ok" else { throw Unusable.damaged(result) }
                guard try !StoreMigrations.migrator.hasBeenSuperseded(database) else { throw StoreError(.newerVersion) }
            }
        }

        /// Renames the file, with what is not yet written into it, and removes the one that was set aside before.
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

    extension DatabaseError {
        var isDamage: Bool {
            [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode)
        }

        /// Without the statement and its arguments, which may be secret.
        var logText: String { "\(resultCode.rawValue) \(message ?? "")" }
    }
#endif
