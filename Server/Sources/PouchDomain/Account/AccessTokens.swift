import Foundation

/// Makes and reads access tokens, which any process with the same signing keys can verify.
public protocol AccessTokens: Sendable {
    func issue(for session: SessionRecord, expiresAt: Date) async throws -> String

    /// - Returns: the id of the session.
    /// - Throws: `DomainError.tokenExpired`, `DomainError.unauthenticated`.
    func verify(_ token: String) async throws -> String
}
