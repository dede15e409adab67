import Foundation
import PouchDomain
import PouchStorage

/// Replaces an SQLite database with a backup. The replaced database stays next to it under another name.
///
/// Orders since the backup are lost, but their numbers are in use, so the next order gets a number above all of them.
///
///     let restored = try await DatabaseRestore(of: "backup.sqlite", to: "shop.sqlite").run()
public struct DatabaseRestore: Sendable {
    public struct Outcome: Sendable {
        /// The path of the previous database; nil if there was none.
        public let previous: String?
        /// The number of the next order.
        public let nextNumber: String
    }

    /// Numbers are skipped up to a multiple of this, at least as many, and ten times as many if it is unknown how many
    /// are in use. More than `OrderNumbers.recover` reuses.
    private static let skipped: Int64 = 1_000

    private let backup: String
    private let database: String

    public init(of backup: String, to database: String) {
        self.backup = backup
        self.database = database
    }

    /// Checks a copy of the backup, then replaces the database, which takes twice the space of the backup. Until then,
    /// the database does not change.
    ///
    /// - Parameter now: the time in the new name of the previous database.
    /// - Throws: `RestoreError`; `StorageError` for a backup that this server cannot open or use; `CocoaError` when
    ///   there is not enough space.
    public func run(now: Date = Date()) async throws -> Outcome {
        guard FileManager.default.fileExists(atPath: backup) else { throw RestoreError.noBackup(path: backup) }
        let log = try? FileManager.default.attributesOfItem(atPath: backup + "-wal")[.size] as? NSNumber
        guard (log?.intValue ?? 0) == 0 else { throw RestoreError.inUse(path: backup) }
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: database).deletingLastPathComponent(), withIntermediateDirectories: true)
        guard let sole = SoleUse(of: database) else { throw RestoreError.serverRuns(path: database) }
        let (copy, ready) = (database + ".checked", database + ".restored")
        let temporary = ["", "-wal", "-shm"].map { copy + $0 } + [ready]
        func clear() { for path in temporary { try? FileManager.default.removeItem(atPath: path) } }
        defer { clear() }
        clear()
        try FileManager.default.copyItem(atPath: backup, toPath: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        let last = try await check(copy, writingTo: ready, numbersAfter: try? await lastNumber())
        let previous = try moveAside(now)
        try FileManager.default.moveItem(atPath: ready, toPath: database)
        withExtendedLifetime(sole) {}
        return Outcome(previous: previous, nextNumber: OrderNumbers.text(last + 1))
    }

    /// Checks the copy, then writes it as a file that needs no log. A backup of an earlier version passes the check.
    ///
    /// - Parameter given: the last number that was reserved; nil if unknown.
    /// - Returns: the last number that no new order may have.
    /// - Throws: `RestoreError.noShop`, `.damaged`, `StorageError`.
    private func check(_ copy: String, writingTo ready: String, numbersAfter given: Int64?) async throws -> Int64 {
        let shop: SQLiteDatabase
        do { shop = try SQLiteDatabase(path: copy) } catch StorageError.cannotOpen(_, let reason) {
            throw StorageError.cannotOpen(path: backup, reason: reason)
        }
        let isIntact = try await shop.read { try $0.row("PRAGMA quick_check(1)", [])?.text(0) == "ok" }
        guard isIntact else { throw RestoreError.damaged(path: backup) }
        do {
            try await Migrator().check(shop)
        } catch StorageError.schemaTooOld(let found, _) where found > 0 {
        } catch StorageError.schemaTooOld {
            throw RestoreError.noShop(path: backup)
        }
        let step = Self.skipped
        let last = try await shop.write { connection in
            let kept = try connection.row("SELECT last FROM order_numbers", [])?.integer(0) ?? 0
            let last = (max(kept, given ?? kept) / step + (given == nil ? 10 : 1) + 1) * step
            try connection.run("UPDATE order_numbers SET last = ?", [.integer(last)])
            return last
        }
        try await shop.backup(to: ready) { _, _ in }
        try await shop.close()
        return last
    }

    /// The last number that the database to be replaced has reserved; nil if there is none, or it cannot be read.
    private func lastNumber() async throws -> Int64? {
        guard FileManager.default.fileExists(atPath: database) else { return nil }
        let shop = try SQLiteDatabase(path: database)
        let last = try? await shop.read { try $0.row("SELECT last FROM order_numbers", [])?.integer(0) }
        try await shop.close()
        return last ?? nil
    }

    private func moveAside(_ now: Date) throws -> String? {
        guard FileManager.default.fileExists(atPath: database) else { return nil }
        let time = now.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: false).dateSeparator(.omitted)
                .timeSeparator(.omitted))
        let previous = "\(database).\(time)"
        // Moves the log last: a server refuses to start on a log without its database, but would not notice the latest
        // changes missing from a database without its log.
        try FileManager.default.moveItem(atPath: database, toPath: previous)
        if FileManager.default.fileExists(atPath: database + "-wal") {
            try FileManager.default.moveItem(atPath: database + "-wal", toPath: previous + "-wal")
        }
        try? FileManager.default.removeItem(atPath: database + "-shm")
        return previous
    }
}

public enum RestoreError: Error, CustomStringConvertible {
    case noBackup(path: String)
    /// A log next to the file has changes that the file lacks.
    case inUse(path: String)
    case serverRuns(path: String)
    case damaged(path: String)
    case noShop(path: String)

    public var description: String {
        switch self {
        case .noBackup(let path): "There is no file \(path). Check the path."
        case .inUse(let path): "\(path) is in use, or was when it was copied. Use a backup by pouch-server backup."
        case .serverRuns(let path): "A server is using \(path). Stop it first."
        case .damaged(let path): "\(path) is damaged; nothing was changed. Use another backup."
        case .noShop(let path): "\(path) has no shop; nothing was changed. Use a file written by pouch-server backup."
        }
    }
}
