import Foundation
import PouchDomain
import Synchronization

/// The files of an open database. SQLite goes on writing into files that were deleted or moved away; what it commits
/// there is lost when the process ends.
final class SQLiteFiles: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    private let path: String
    private let database: Identity
    /// nil until the first commit has made it.
    private let log = Mutex<Identity?>(nil)

    /// - Throws: `UnavailableError` when there is no file.
    init(_ path: String) throws {
        self.path = path
        database = try Self.identity(path)
    }

    /// - Throws: `UnavailableError` unless both files are where they were. When they are back, this succeeds again.
    func check() throws {
        guard try Self.identity(path) == database else { throw UnavailableError(reason: "\(path) is another file now") }
        guard let found = try? Self.identity(path + "-wal") else {
            guard log.withLock({ $0 }) == nil else { throw UnavailableError(reason: "\(path)-wal is missing") }
            return
        }
        try log.withLock { log in
            guard log ?? found == found else { throw UnavailableError(reason: "\(path)-wal is another file now") }
            log = found
        }
    }

    private static func identity(_ path: String) throws -> Identity {
        var status = stat()
        guard stat(path, &status) == 0 else { throw UnavailableError(reason: "\(path) is missing") }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
