import Foundation
import PouchDomain
import PouchEntities
import PouchStorage
import PouchWeb

/// Checks that the database is reachable, intact and durable, that its schema fits this server, that it agrees with the
/// clock, and that no payment is stuck.
struct DatabaseCheck: Sendable {
    let configuration: ServerConfiguration

    func findings() async -> [Finding] {
        if let path = configuration.databasePath, access(path, F_OK) != 0, access(path + "-wal", F_OK) != 0 {
            return .problem(
                "There is no database at \(path). Check --database, or create a new shop with serve --create.")
        }
        do {
            let database = try configuration.database.connect()
            var findings: [Finding] = []
            for check in [schema, durability, integrity, clock, payments, settings] {
                do { findings += try await check(database) } catch {
                    findings.append(problem(error))
                    // All further checks would fail in the same way.
                    break
                }
            }
            try await database.close()
            return findings
        } catch {
            return [problem(error)]
        }
    }

    private func problem(_ error: any Error) -> Finding {
        .problem(
            DatabaseFailure(error, of: configuration.database)?.description
                ?? "The database reports an error: \(error). If the error persists, restore the latest backup.")
    }

    private func schema(_ database: any Database) async throws -> [Finding] {
        do {
            try await Migrator().check(database)
        } catch StorageError.schemaTooOld {
            return configuration.migrates
                ? .warning(
                    "The schema is older than this server. Make a backup before the next start, which migrates it.")
                : .problem(
                    "The schema is older than this server, and --no-migrate is set. Run “pouch-server migrate”.")
        }
        let version = try await database.read {
            try $0.row("SELECT MAX(version) FROM schema_migrations", [])?.int(0) ?? 0
        }
        return .ok("The database is reachable and has schema version \(version).")
    }

    /// The checks of the settings when a server starts, and its warnings.
    private func settings(_ database: any Database) async throws -> [Finding] {
        let wanted = configuration.shop?.currency ?? configuration.currency
        let currency = try await database.read { try ShopCurrency.check(wanted, $0) } ?? wanted ?? .eur
        let shop = configuration.shop ?? .standard(currency: currency)
        if let path = configuration.databasePath {
            try SettingsAgreement.check(configuration.shared(shop), at: path)
        }
        let store = ShopDatabase(database, currency: currency, time: configuration.time)
        return try await store.read { try shop.advice(in: $0) }.map(Finding.warning)
    }

    private func durability(_ database: any Database) async throws -> [Finding] {
        guard configuration.databasePath == nil else {
            let (journal, synchronous) = try await database.write { connection in
                (
                    try connection.row("PRAGMA journal_mode", [])?.text(0) ?? "",
                    try connection.row("PRAGMA synchronous", [])?.int(0) ?? 0
                )
            }
            return journal == "wal" && synchronous == 2
                ? .ok("Commits survive a power failure (write-ahead log, full synchronisation).")
                : .problem(
                    "A power failure may lose commits (journal \(journal), synchronous \(synchronous)). "
                        + "Move the database to a local disk.")
        }
        let settings = ["fsync", "full_page_writes", "synchronous_commit"]
        let off = try await database.read { connection in
            try settings.filter { name in
                try connection.row("SELECT current_setting('\(name)')", [])?.text(0) == "off"
            }
        }
        return off.isEmpty
            ? .ok("Commits survive a power failure.")
            : .problem(
                "A power failure may lose commits, since \(off.formatted()) is off in PostgreSQL. Turn it on.")
    }

    /// Checks SQLite only: PostgreSQL has amcheck, which needs a superuser.
    private func integrity(_ database: any Database) async throws -> [Finding] {
        guard let path = configuration.databasePath else { return [] }
        let damage = try await database.read { connection in
            try connection.rows("PRAGMA quick_check(3)", []).map { try $0.text(0) }
        }
        guard damage != ["ok"] else { return .ok("The file is intact.") }
        return .problem(
            "\(path) is damaged: \(damage.joined(separator: "; ")). Stop the servers and restore the latest backup "
                + "with pouch-server restore.")
    }

    private func clock(_ database: any Database) async throws -> [Finding] {
        let now = configuration.time.now
        let (what, time) = try await database.read { connection in
            connection.dialect == .postgres
                ? (
                    "the database server's clock",
                    try connection.row(
                        "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", [])?
                        .optional(0, SQLRow.date)
                )
                : (
                    "the shop's latest event",
                    try connection.row("SELECT created_at FROM events ORDER BY position DESC LIMIT 1", [])?.date(0)
                )
        }
        guard let time else { return [] }
        let behind = time.timeIntervalSince(now)
        // A past event says nothing about the clock.
        let apart = configuration.databasePath == nil ? abs(behind) : behind
        guard apart > 5 else { return .ok("The clock agrees with \(what).") }
        return .warning(
            "The clock differs from \(what) by \(Int(apart)) s. Synchronise it, since prices, holds and sessions "
                + "depend on it.")
    }

    /// Payments and refunds are settled within seconds.
    private func payments(_ database: any Database) async throws -> [Finding] {
        let before = configuration.time.now.addingTimeInterval(-300)
        let (refunds, orders) = try await database.read { connection in
            (
                try connection.row(
                    "SELECT COUNT(*) FROM refunds WHERE is_pending = 1 AND created_at < ?", [.time(before)])?
                    .int(0) ?? 0,
                try connection.row(
                    "SELECT COUNT(*) FROM orders WHERE status = 'pending' AND created_at < ?", [.time(before)])?
                    .int(0) ?? 0
            )
        }
        guard refunds + orders > 0 else { return .ok("No payment or refund is waiting.") }
        return .warning(
            "\(refunds) refunds and \(orders) payments have waited for more than 5 minutes. Check the payment "
                + "provider and its ledger, and run “pouch-server refunds list”.")
    }
}
