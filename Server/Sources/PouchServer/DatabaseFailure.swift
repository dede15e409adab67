import Foundation
import PouchDomain
import PouchStorage

/// An error of opening a database, explained to the server's operator.
public struct DatabaseFailure: Error, CustomStringConvertible {
    /// The cause and the advice, in at most two sentences.
    public let description: String

    /// - Returns: nil for an error that only a log can explain.
    public init?(_ error: any Error, of database: DatabaseAddress) {
        switch error {
        case let error as StorageError:
            guard let text = Self.text(error) else { return nil }
            description = text
        case let error as SettingsMismatch:
            description = """
                Another server uses this database with different values of \(error.options.formatted()). Use the same \
                values for both, or stop that server first.
                """
        case let error as UnavailableError:
            // libpq adds lines with hints.
            var reason = error.reason.prefix(while: { !$0.isNewline })
            while reason.last == "." { reason.removeLast() }
            let advice =
                switch database {
                case .sqlite: "Check the disk and the file's permissions."
                case .postgres: "Check that the database server is running and that --database is correct."
                }
            description = "Cannot use the database: \(reason). \(advice)"
        default: return nil
        }
    }

    private static func text(_ error: StorageError) -> String? {
        switch error {
        case .cannotOpen(let path, let reason):
            "Cannot open the database \(path): \(reason). Check the path and its permissions."
        case .logWithoutDatabase(let path):
            """
            \(path) is missing, but its latest changes are still in \(path)-wal. Move the database back next to it; to \
            create a new shop instead, move \(path)-wal and \(path)-shm away first.
            """
        case .schemaTooNew:
            "A later version of pouch-server has changed this database. Use that version or another database."
        case .schemaUnsupported(let version):
            """
            A development version of pouch-server made this database (schema \(version)), and this version cannot migrate \
            it. Use another database or backup.
            """
        case .schemaTooOld:
            "The database schema is older than this server. Run “pouch-server migrate”, or omit --no-migrate."
        case .migrationChanged(let version, let name):
            """
            This database belongs to another program or build: its migration \(version) (\(name)) differs from this \
            server's. Use another database.
            """
        case .currencyMismatch(let stored, let wanted):
            "The prices of this shop are in \(stored), not \(wanted). Omit --currency, and use \(stored) in the "
                + "settings file."
        case .libraryMissing(let name):
            "PostgreSQL requires \(name) 14 or later, which is not installed. Install it, on Debian with "
                + "“apt install libpq5”."
        case .unsupportedAddress, .passwordInAddress, .notStorable, .corrupt: nil
        }
    }
}
