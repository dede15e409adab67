import ArgumentParser
import PouchDomain
import PouchStorage

/// A failure in words for whoever called the command; ends it with exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Runs something that opens a database, and says in words what keeps it from opening.
func opened<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch let error as StorageError {
        switch error {
        case .cannotOpen(let path, let reason):
            throw Failure(
                "The database \(path) cannot be opened: \(reason). Check the path, and that you may write there.")
        case .schemaTooNew:
            throw Failure("A later version of pouch-server made this database. Use that version, or another database.")
        case .schemaTooOld:
            throw Failure(
                "The database is older than this server. Run pouch-server migrate, or leave --no-migrate out.")
        case .migrationChanged(let version, let name):
            throw Failure("Migration \(version) (\(name)) of this database is not the one that this server knows.")
        case .currencyMismatch(let stored, let wanted):
            throw Failure(
                "The prices of this shop are in \(stored), not in \(wanted). Leave --currency out, and name \(stored) in the "
                    + "settings file.")
        case .unsupportedAddress, .passwordInAddress, .notStorable, .corrupt:
            throw error
        }
    } catch let error as UnavailableError {
        throw Failure("The database cannot be reached: \(error.reason)")
    }
}
