import Foundation
import PouchNetwork
import PouchService

/// A file that only its owner may read (mode 0600), such as one with a session, or with the pages on screen.
///
/// It is replaced in one step: a reader finds the old content or the new one, even after a crash.
public actor PrivateFile {
    private let url: URL
    private let thread = FileThread()

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter url: missing folders are created with mode 0700 at the first write.
    public init(_ url: URL) {
        self.url = url
    }

    /// - Returns: nil if there is no file.
    /// - Throws: `CocoaError` for a file that cannot be read.
    public func read() throws -> Data? {
        do {
            return try Data(contentsOf: url)
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }

    /// Creates or replaces the file. If this fails, the file keeps its old content.
    ///
    /// - Throws: `CocoaError` or `POSIXError`, for example if the disk is full.
    public func write(_ data: Data) throws {
        try Self.replace(url, with: data)
    }

    /// Creates the file in one step, unless it exists.
    ///
    /// - Returns: whether it was created.
    /// - Throws: as `write`.
    func create(_ data: Data) throws -> Bool {
        try Self.withDraft(of: url, data) { draft in
            defer { unlink(draft) }
            guard link(draft, url.path) != 0 else { return true }
            guard errno == EEXIST else { throw Self.failure() }
            return false
        }
    }

    /// Writes as `write` does, but blocks the caller's thread.
    ///
    /// - Throws: as `write`.
    public static func replace(_ url: URL, with data: Data) throws {
        try withDraft(of: url, data) { draft in
            guard rename(draft, url.path) == 0 else { throw failure() }
        }
    }

    /// Writes the content to a file in the same folder, which the closure moves into place.
    private static func withDraft<Value>(of url: URL, _ data: Data, _ place: (String) throws -> Value) throws -> Value {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let draft = url.path + "." + UUID().uuidString
        do {
            try create(draft, with: data)
            return try place(draft)
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// Deletes the file, if there is one.
    ///
    /// - Throws: `POSIXError`.
    public func remove() throws {
        guard unlink(url.path) == 0 || errno == ENOENT else { throw Self.failure() }
    }

    /// Creates the file with its mode, so that others can never read it.
    private static func create(_ path: String, with data: Data) throws {
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

/// Stores a session in a file that only its owner may read.
public struct FileSessionStore: SessionStore {
    private let file: PrivateFile

    /// - Parameter file: missing folders are created with mode 0700 when the first session is saved.
    public init(file: URL) {
        self.file = PrivateFile(file)
    }

    public func load() async throws -> Data? { try await file.read() }

    public func save(_ session: Data) async throws { try await file.write(session) }

    public func saveUnlessSaved(_ session: Data) async throws -> Data {
        for _ in 0..<10 {
            if try await file.create(session) { return session }
            // nil if the file was removed in the meantime.
            if let saved = try await file.read() { return saved }
        }
        // Its name does not lead to a file, for example a symbolic link without a target.
        try await file.write(session)
        return session
    }

    public func clear() async throws { try await file.remove() }
}
