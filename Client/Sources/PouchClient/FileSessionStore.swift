import Foundation
import PouchNetwork
import PouchService

/// Keeps a session in a file that only its owner may read (mode 0600).
///
/// The file is replaced in one step, so that a reader finds the old session or the new one, also after a crash.
public actor FileSessionStore: SessionStore {
    private let file: URL
    private let thread = FileThread()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter file: missing folders are made when the first session is saved, with mode 0700.
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

    /// The mode is given when the file is made, so that it is never readable by others.
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
