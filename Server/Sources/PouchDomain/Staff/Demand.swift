import Foundation
import PouchEntities

extension Principal {
    /// The requirements of an endpoint beyond an active session. The transaction that works for the principal checks
    /// them, so that a changed role takes effect with the next transaction.
    public struct Demand: Sendable, Hashable {
        /// The time for which a confirmed password counts as a fresh sign-in, in seconds.
        public static let freshness: TimeInterval = 10 * 60

        public let permission: Permission?
        /// The time since which the password must have been confirmed; nil if no confirmation is needed.
        public let confirmedSince: Date?
        /// Whether staff must have a second factor.
        public let needsSecondFactor: Bool

        /// - Returns: nil for an endpoint that any session may call. It needs no further read.
        public init?(permission: Permission?, confirmedSince: Date? = nil, needsSecondFactor: Bool = false) {
            guard permission != nil || confirmedSince != nil else { return nil }
            self.permission = permission
            self.confirmedSince = confirmedSince
            self.needsSecondFactor = needsSecondFactor
        }
    }

    /// The principal's current permissions. The principal cannot grant a role or a scope with others.
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

    /// - Parameter permission: nil for an endpoint that needs an account.
    /// - Throws: `DomainError.apiKeyInvalid`, `.forbidden`.
    public func checkKey(for permission: Permission?, in repositories: any Repositories) throws {
        let scopes = try permissions(in: repositories)
        // A key is not a customer, and has no password to confirm.
        guard let permission else { throw DomainError.forbidden("An API key has no account.") }
        guard Permission.ofKeys.contains(permission) else {
            throw DomainError.forbidden("No API key can have the scope \(permission.rawValue). Sign in instead.")
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
    /// The refusal of a guest or a customer. It names the permission, like the refusals of staff and API keys.
    public static func staffOnly(_ permission: Permission) -> DomainError {
        .forbidden("Only staff with the permission \(permission.rawValue) may do this.")
    }
}

/// The role of a session's account, whether it has a second factor, and when the session was last confirmed.
public struct StaffStanding: Sendable, Equatable {
    /// nil for a customer.
    public let role: StaffRole?
    public let hasSecondFactor: Bool
    /// The time at which the session's password and second factor were last confirmed.
    public let confirmedAt: Date

    public init(role: StaffRole?, hasSecondFactor: Bool, confirmedAt: Date) {
        self.role = role
        self.hasSecondFactor = hasSecondFactor
        self.confirmedAt = confirmedAt
    }
}

extension Repositories {
    /// Ends what a staff member or an API key has granted and could no longer grant: invitations are deleted, API keys
    /// revoked, and webhooks switched off. So a member who loses a permission keeps no access through grants.
    ///
    /// - Parameters:
    ///   - granter: the account, or the API key.
    ///   - permissions: the permissions that it has from now on.
    func endGrants(of granter: String, keeping permissions: Set<Permission> = [], at now: Date) throws {
        // They may be for roles that the granter can no longer grant.
        try staff.deleteInvitations(by: granter)
        for key in try apiKeys.keys(madeBy: granter) where !permissions.isSuperset(of: key.scopes + [.manageStaff]) {
            try apiKeys.revoke(id: key.id, at: now)
            try endGrants(of: key.id, at: now)
        }
        if !permissions.contains(.manageWebhooks) { try webhooks.switchOff(addedBy: granter) }
    }

    /// Whether the inviting member may still grant the role.
    func isCovered(_ invitation: StaffInvitation) throws -> Bool {
        let role = try accounts.account(id: invitation.invitedBy)?.role.staffRole
        return role?.permissions.isSuperset(of: invitation.role.permissions.union([.manageStaff])) ?? false
    }

    /// The webhooks that get events. A paused one gets them once it is active again. A webhook that an API key added is
    /// switched off here once the key has expired.
    func enabledWebhooks(at now: Date) throws -> [WebhookRecord] {
        try webhooks.webhooks(after: nil, limit: ModelLimits.webhooks).filter { webhook in
            guard webhook.status != .off else { return false }
            guard let id = webhook.addedBy, id.hasPrefix(Identifier.Kind.apiKey.rawValue),
                try apiKeys.key(id: id)?.isValid(at: now) != true
            else { return true }
            try webhooks.switchOff(addedBy: id)
            return false
        }
    }
}
