import Foundation
import PouchPostgres
import PouchStorage

/// The address of a database, such as `sqlite:/var/lib/pouch/pouch.sqlite` or `postgres://pouch@db.example.com/shop`.
public enum DatabaseAddress: Sendable, Equatable {
    /// The file of an embedded database.
    case sqlite(path: String)
    case postgres(PostgresAddress)

    public init(path: String) {
        self = .sqlite(path: path)
    }

    /// - Throws: `StorageError.unsupportedAddress`, `.passwordInAddress`.
    public init(_ text: String) throws(StorageError) {
        if PostgresAddress.isPostgresAddress(text) {
            self = .postgres(try PostgresAddress(text))
        } else if text.hasPrefix("sqlite:"), text.count > 7 {
            self = .sqlite(path: String(text.dropFirst(7)))
        } else {
            throw .unsupportedAddress
        }
    }

    /// A file in the user's data folder.
    public static var standard: DatabaseAddress {
        DatabaseAddress(path: userDataFolder.appending(path: "pouch.sqlite").path)
    }

    private static var userDataFolder: URL {
        let home = FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
            return home.appending(path: "Library/Application Support/Pouch")
        #else
            let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
                $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil
            }
            return (data ?? home.appending(path: ".local/share")).appending(path: "pouch")
        #endif
    }

    /// The default folder for the server's other files: the folder of an SQLite database, otherwise the user's data
    /// folder.
    public var dataFolder: URL {
        switch self {
        case .sqlite(let path): URL(fileURLWithPath: path).deletingLastPathComponent()
        case .postgres: Self.userDataFolder
        }
    }

    /// Opens the database without migrating it.
    ///
    /// - Parameter timeout: the time for which an SQLite transaction waits for its turn. A PostgreSQL address has its
    ///   own.
    /// - Throws: `StorageError.cannotOpen`.
    public func connect(timeout: Duration = .seconds(10)) throws -> any Database {
        switch self {
        case .sqlite(let path): try SQLiteDatabase(path: path, waitingTime: timeout)
        case .postgres(let address): PostgresDatabase(address)
        }
    }

    /// Opens the database and migrates its schema, or checks that the schema is current.
    ///
    /// - Throws: `StorageError`; `UnavailableError` if the database server is unreachable.
    public func open(migrates: Bool = true, timeout: Duration = .seconds(10)) async throws -> any Database {
        let database = try connect(timeout: timeout)
        if migrates { try await Migrator().migrate(database) } else { try await Migrator().check(database) }
        return database
    }
}
