import Foundation
import PouchEntities

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
