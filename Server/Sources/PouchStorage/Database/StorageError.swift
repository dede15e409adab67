/// Why the database could not do what it was asked. The texts are for logs, never for answers.
public enum StorageError: Error, Sendable {
    /// A later version of the server made this database.
    case schemaTooNew(found: Int, known: Int)
    /// A migration that was applied reads differently now.
    case migrationChanged(version: Int, name: String)
    /// The schema is older than this server needs, and migrating was not allowed.
    case schemaTooOld(found: Int, known: Int)
    /// The prices in this database are in another currency.
    case currencyMismatch(stored: String, wanted: String)
    /// A row is not as this version writes it.
    case corrupt(String)
    /// The address names no database that this build can open.
    case unsupportedAddress
    /// The address holds a password, which would stand in the list of processes and in logs.
    case passwordInAddress
    /// A text that this database cannot store.
    case notStorable
    /// The file cannot be opened.
    case cannotOpen(path: String, reason: String)
}
