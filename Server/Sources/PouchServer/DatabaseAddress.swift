import Foundation
import PouchStorage

/// Where a database is, as in `sqlite:/var/lib/pouch/pouch.sqlite`.
public struct DatabaseAddress: Sendable, Equatable {
    /// The file of an embedded database.
    public let path: String

    public init(path: String) {
        self.path = path
    }

    /// - Throws: `StorageError.unsupportedAddress`.
    public init(_ text: String) throws {
        guard text.hasPrefix("sqlite:"), text.count > 7 else { throw StorageError.unsupportedAddress(text) }
        path = String(text.dropFirst(7))
    }

    /// A file in the user's data folder.
    public static var standard: DatabaseAddress {
        let home = FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
            let folder = home.appending(path: "Library/Application Support/Pouch")
        #else
            let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
                $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil
            }
            let folder = (data ?? home.appending(path: ".local/share")).appending(path: "pouch")
        #endif
        return DatabaseAddress(path: folder.appending(path: "pouch.sqlite").path)
    }

    /// The file beside the database in which the sandbox keeps its charges.
    public var sandboxLedgerPath: String {
        URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "sandbox-payments.sqlite").path
    }

    /// Opens the database and brings its schema up to date, or checks that it is.
    ///
    /// - Throws: `StorageError`.
    public func open(migrates: Bool = true) async throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path)
        if migrates { try await Migrator().migrate(database) } else { try await Migrator().check(database) }
        return database
    }
}
