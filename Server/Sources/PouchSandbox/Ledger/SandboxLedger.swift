import Foundation
import PouchDomain
import PouchStorage

/// What the sandbox booked, in a file of its own, so that it outlives the shop as a real provider's books do. Several
/// processes may share the file.
public struct SandboxLedger: Sendable {
    /// Made with the file, and never another one.
    public let id: String
    let database: SQLiteDatabase

    /// Opens the file, or makes it; one of an earlier version is brought up to date.
    ///
    /// - Throws: `StorageError`.
    public init(path: String, random: any RandomSource = SystemRandom()) async throws {
        let database = try SQLiteDatabase(path: path)
        try await Migrator(Migration.ledger).migrate(database)
        let newId = "led_" + random.bytes(8).map { String(format: "%02x", $0) }.joined()
        self.database = database
        id = try await database.write { connection in
            try connection.run(
                "INSERT INTO ledger (singleton, id) VALUES (1, ?) ON CONFLICT (singleton) DO NOTHING", [.text(newId)])
            return try connection.row("SELECT id FROM ledger", [])?.text(0) ?? newId
        }
    }

    public func close() async throws {
        try await database.close()
    }

    /// Whole milliseconds, as the file keeps them.
    static var now: Date {
        Date(timeIntervalSince1970: (Date().timeIntervalSince1970 * 1000).rounded() / 1000)
    }
}
