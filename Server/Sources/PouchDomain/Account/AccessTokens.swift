import Foundation

/// Makes and reads access tokens, which any process with the same signing keys can verify.
public protocol AccessTokens: Sendable {
    func issue(for session: SessionRecord, expiresAt: Date) async throws -> String

    /// Who the token was issued to; its session may have ended since.
    ///
    /// - Throws: `DomainError.tokenExpired`, `DomainError.unauthenticated`.
    func verify(_ token: String) async throws -> Principal
}
