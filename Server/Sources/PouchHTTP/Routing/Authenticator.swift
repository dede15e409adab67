import Foundation
import HTTPTypes
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

/// Finds the principal of a request from its access token or API key.
struct Authenticator: Sendable {
    let store: any Store
    let tokens: any AccessTokens
    private let keys: APIKeys
    private let environment: DomainEnvironment

    init(_ environment: DomainEnvironment, tokens: any AccessTokens) {
        store = environment.store
        self.tokens = tokens
        self.environment = environment
        keys = APIKeys(environment)
    }

    /// The principal of a request, with the permission that its endpoint requires. The transaction of the request
    /// checks this permission together with the session. This method also checks it, before the body is read. Most
    /// requests require none, and for a session's token this method then does not read the database.
    ///
    /// - Throws: `RequestProblem`; the errors of `Principal.checkSession`, `DomainError.tokenExpired`, `.forbidden`.
    func principal(_ headers: HTTPFields, for exchange: any AnyExchange) async throws -> Principal {
        guard let token = try accessToken(headers) else {
            throw RequestProblem(.unauthenticated, "Send an access token in the header Authorization: Bearer …")
        }
        let access = exchange.endpoint.access
        let isKey = token.hasPrefix(APIKeys.prefix)
        var principal = isKey ? try await keys.principal(of: token) : try await tokens.verify(token)
        if isKey, !access.isForStaff {
            throw RequestProblem(.forbidden, "An API key has no account. Sign in instead.")
        }
        if access == .customer, principal.isGuest {
            throw RequestProblem(.forbidden, "This requires an account. Guests must sign in or sign up first.")
        }
        if let permission = access.permission, principal.kind != .admin {
            throw DomainError.staffOnly(permission)
        }
        principal.requirements = Principal.Requirements(
            permission: access.permission,
            confirmedSince: exchange.features.contains(.freshSignIn)
                ? environment.time.now.addingTimeInterval(-Principal.Requirements.freshness) : nil,
            needsSecondFactor: environment.shop.staffNeedsSecondFactor)
        if principal.requirements != nil {
            try await store.read { [principal] in try principal.checkSession(in: $0) }
        }
        return principal
    }

    /// The guest who signs up or in, and whose cart is merged; nil without a guest's token.
    ///
    /// An ended session counts as no session, so that signing in twice is not an error. An expired token is refused,
    /// because the guest would otherwise lose the cart without notice.
    func guest(_ headers: HTTPFields) async throws -> Principal? {
        guard let token = try accessToken(headers) else { return nil }
        let principal = try await tokens.verify(token)
        guard principal.isGuest else { return nil }
        do {
            try await store.read { try principal.checkSession(in: $0) }
            return principal
        } catch DomainError.unauthenticated {
            return nil
        }
    }

    /// The token in `Pouch-Access-Token`, otherwise the one in `Authorization`. The latter may also hold credentials
    /// for a proxy in front of the server: it is ignored if the first field is present, and counts as absent if its
    /// scheme is not Bearer.
    private func accessToken(_ headers: HTTPFields) throws -> String? {
        if let token = headers[.accessToken] {
            guard !token.isEmpty else {
                throw RequestProblem(
                    .unauthenticated,
                    "The access token header is empty. Send the token or omit the header.")
            }
            return token
        }
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.first?.lowercased() == "bearer" else { return nil }
        guard parts.count == 2 else {
            throw RequestProblem(.unauthenticated, "The Authorization header must be “Bearer” and a token.")
        }
        return String(parts[1])
    }
}
