import HTTPTypes
import PouchDomain
import PouchEntities
import PouchWire

/// Finds out who a request comes from.
struct Authenticator: Sendable {
    let accounts: AccountService
    let tokens: any AccessTokens

    /// - Throws: `DomainError.unauthenticated`, `.tokenExpired`, `.forbidden`.
    func principal(_ headers: HTTPFields, for access: Access) async throws -> Principal {
        guard let token = try bearerToken(headers) else {
            throw RequestProblem(.unauthenticated, "This needs an access token: Authorization: Bearer …")
        }
        let principal = try await accounts.principal(sessionId: tokens.verify(token))
        if access == .customer, principal.isGuest {
            throw RequestProblem(.forbidden, "This needs an account; a guest has none.")
        }
        if access == .admin, principal.kind != .admin {
            throw RequestProblem(.forbidden, "This needs an administrator.")
        }
        return principal
    }

    /// The guest whose cart is to be taken along, for an endpoint that needs no token.
    ///
    /// A session that has ended counts as none, so that signing in twice is no error. A token that has expired is
    /// refused, since the guest would lose the cart without being told.
    func guest(_ headers: HTTPFields) async throws -> Principal? {
        guard let token = try bearerToken(headers) else { return nil }
        let sessionId = try await tokens.verify(token)
        do {
            let principal = try await accounts.principal(sessionId: sessionId)
            return principal.isGuest ? principal : nil
        } catch DomainError.unauthenticated {
            return nil
        }
    }

    private func bearerToken(_ headers: HTTPFields) throws -> String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw RequestProblem(.unauthenticated, "The Authorization header must be: Bearer and a token.")
        }
        return String(parts[1])
    }
}
