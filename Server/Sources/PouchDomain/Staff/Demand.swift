import Foundation
import PouchEntities

extension Principal {
    /// The requirements of an endpoint beyond a session that has not ended. The transaction that works for the
    /// principal checks them, so that a changed role counts from the next transaction on.
    public struct Demand: Sendable, Hashable {
        /// Seconds for which a confirmed password counts as a fresh sign-in.
        public static let freshness: TimeInterval = 10 * 60

        public let permission: Permission?
        /// Confirmations of the password from before this time are too old; nil if none is needed.
        public let confirmedSince: Date?
        /// Whether staff must have a second factor.
        public let needsSecondFactor: Bool

        /// - Returns: nil for an endpoint that any session may call, for which nothing more is read then.
        public init?(permission: Permission?, confirmedSince: Date? = nil, needsSecondFactor: Bool = false) {
            guard permission != nil || confirmedSince != nil else { return nil }
            self.permission = permission
            self.confirmedSince = confirmedSince
            self.needsSecondFactor = needsSecondFactor
        }
    }

    /// The permissions that the principal has now. The principal cannot give a role or a scope that has others.
    ///
    /// - Throws: `DomainError.unauthenticated`, `.apiKeyInvalid`.
    func permissions(in repositories: any Repositories) throws -> Set<Permission> {
        switch credential {
        case .apiKey: Permission.ofKeys.intersection(try activeKey(in: repositories).key.scopes)
        case .session: try repositories.staff.standing(sessionId: sessionId)?.role?.permissions ?? []
        }
    }

    /// - Throws: `DomainError.apiKeyInvalid`, `.forbidden`.
    func checkKey(in repositories: any Repositories) throws {
        try checkKey(for: demand?.permission, in: repositories)
    }

    /// - Parameter permission: nil for what needs an account.
    /// - Throws: `DomainError.apiKeyInvalid`, `.forbidden`.
    public func checkKey(for permission: Permission?, in repositories: any Repositories) throws {
        let scopes = try permissions(in: repositories)
        // A key is no customer, and has no password that it could confirm.
        guard let permission else { throw DomainError.forbidden("An API key has no account.") }
        guard Permission.ofKeys.contains(permission) else {
            throw DomainError.forbidden("No API key can have the scope \(permission.rawValue). Sign in for this.")
        }
        guard scopes.contains(permission) else {
            throw DomainError.forbidden("The API key does not have the scope \(permission.rawValue).")
        }
    }

    private func activeKey(in repositories: any Repositories) throws -> APIKeyRecord {
        guard let key = try repositories.apiKeys.key(id: sessionId), key.revokedAt == nil else {
            throw DomainError.apiKeyInvalid
        }
        return key
    }
}

extension Principal.Demand {
    /// - Throws: `DomainError.unauthenticated`, `.forbidden`, `.secondFactorNeeded`, `.freshSignInRequired`.
    func check(sessionId: String, in repositories: any Repositories) throws {
        guard let standing = try repositories.staff.standing(sessionId: sessionId) else {
            throw DomainError.unauthenticated
        }
        if let permission {
            guard let role = standing.role else { throw DomainError.staffOnly(permission) }
            guard role.permissions.contains(permission) else {
                throw DomainError.forbidden(
                    "Your role (\(role.title)) does not have the permission \(permission.rawValue). Ask an owner for it."
                )
            }
            guard standing.hasSecondFactor || !needsSecondFactor else { throw DomainError.secondFactorNeeded }
        }
        if let confirmedSince, standing.confirmedAt < confirmedSince { throw DomainError.freshSignInRequired }
    }
}

extension DomainError {
    /// The refusal of a guest or a customer. It names the permission, as those of staff and API keys do.
    public static func staffOnly(_ permission: Permission) -> DomainError {
        .forbidden("Only staff with the permission \(permission.rawValue) may do this.")
    }
}

/// The role of a session's account, whether it has a second factor, and when the session was last confirmed.
public struct StaffStanding: Sendable, Equatable {
    /// nil for a customer.
    public let role: StaffRole?
    public let hasSecondFactor: Bool
    /// The time at which the session's password, and second factor, were confirmed last.
    public let confirmedAt: Date

    public init(role: StaffRole?, hasSecondFactor: Bool, confirmedAt: Date) {
        self.role = role
        self.hasSecondFactor = hasSecondFactor
        self.confirmedAt = confirmedAt
    }
}
