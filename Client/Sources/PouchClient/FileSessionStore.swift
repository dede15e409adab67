import Foundation
import PouchNetwork
import PouchService

/// Stores a session in a file that only its owner may read (mode 0600).
///
/// The file is replaced in one step: a reader finds the old session or the new one, even after a crash.
public actor FileSessionStore: SessionStore {
    private let file: URL
    private let thread = FileThread()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter file: missing folders are created with mode 0700 when the first session is saved.
    public init(file: URL) {
        self.file = file
    }

    public func load() throws -> Data? {
        do {
            return try Data(contentsOf: file)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    public func save(_ session: Data) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let draft = file.path + "." + UUID().uuidString
        do {
            try Self.write(session, to: draft)
            guard rename(draft, file.path) == 0 else { throw Self.failure() }
        } catch {
            unlink(draft)
            throw error
        }
    }

    public func clear() throws {
        guard unlink(file.path) == 0 || errno == ENOENT else { throw Self.failure() }
    }

    /// Creates the file with its mode, so that others can never read it.
    private static func write(_ data: Data, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else { throw failure() }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
    }

    private static func failure() -> POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
