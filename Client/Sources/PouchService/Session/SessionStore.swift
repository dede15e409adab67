import Foundation

/// Where a session outlives the process: a file, a keychain. The bytes are secret.
///
/// One store belongs to one server. Several processes may share it.
public protocol SessionStore: Sendable {
    /// - Returns: what was saved last; nil after `clear`, or when nothing was saved.
    func load() async throws -> Data?
    /// Replaces what was saved. After a failure the earlier session is still there.
    func save(_ session: Data) async throws
    func clear() async throws
}
