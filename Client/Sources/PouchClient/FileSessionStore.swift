import Foundation
import PouchService

/// Stores a session in a file that only its owner may read.
public struct FileSessionStore: SessionStore {
    private let file: PrivateFile

    /// - Parameter file: missing folders are created with mode 0700 when the first session is saved.
    public init(file: URL) {
        self.file = PrivateFile(file)
    }

    public func load() async throws -> Data? { try await file.read() }

    public func save(_ session: Data) async throws { try await file.write(session) }

    public func clear() async throws { try await file.remove() }
}
