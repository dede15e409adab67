import Foundation
import GRDB
import PouchDomain
import Synchronization

/// The files of an open database, and the free space on their disk.
///
/// SQLite keeps writing to files that were deleted or moved; what it commits there is lost when the process ends. On a
/// full disk, small changes may still fit where large ones do not, so changes are refused a little earlier.
final class SQLiteFiles: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    /// The reserve in bytes.
    private static let reserve: UInt64 = 1 << 20

    private let path: String
    private let database: Identity
    /// nil until the first commit has created it.
    private let log = Mutex<Identity?>(nil)

    /// - Throws: `UnavailableError` when there is no file.
    init(_ path: String) throws {
        self.path = path
        database = try Self.identity(path)
    }

    /// - Throws: `UnavailableError` when the disk is almost full.
    func checkRoom() throws {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { throw UnavailableError(reason: "\(path) is missing") }
        guard UInt64(disk.f_bavail) * UInt64(disk.f_frsize) >= Self.reserve else {
            throw UnavailableError(reason: "the disk of \(path) is full", isFull: true)
        }
    }

    /// - Throws: `UnavailableError` unless both files are in place. When they are back, this succeeds again.
    func checkPlace() throws {
        guard try Self.identity(path) == database else { throw UnavailableError(reason: "\(path) was replaced") }
        guard let found = try? Self.identity(path + "-wal") else {
            guard log.withLock({ $0 }) == nil else { throw UnavailableError(reason: "\(path)-wal is missing") }
            return
        }
        try log.withLock { log in
            guard log ?? found == found else { throw UnavailableError(reason: "\(path)-wal was replaced") }
            log = found
        }
    }

    /// The store's error for an SQLite error. A file that another process keeps locked is a reason to retry; so is a
    /// full or failing disk, once it is fixed.
    func translated(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        return switch error.resultCode {
        case .SQLITE_BUSY: OverloadError(retryAfterSeconds: 1)
        case .SQLITE_FULL: UnavailableError(reason: "the disk of \(path) is full", isFull: true)
        case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_NOMEM:
            UnavailableError(reason: "\(path): \(error.message ?? "\(error.resultCode)")")
        default: error
        }
    }

    private static func identity(_ path: String) throws -> Identity {
        var status = stat()
        guard stat(path, &status) == 0 else { throw UnavailableError(reason: "\(path) is missing") }
        return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }
}
