import Foundation
import PouchContract
import PouchEntities
import PouchService

/// Calls about the staff and API keys.
extension DataManager {
    /// A page of the staff and of those who are invited to it.
    public func staff(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<StaffMember> {
        try await page(Contract.staff, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Sends a mail with a link. Inviting an address again replaces its earlier invitation.
    public func inviteStaff(email: String, as role: StaffRole) async throws(DataError) -> StaffMember {
        let body = StaffInvitationRequest(email: email, role: role)
        return try await perform(Contract.inviteStaff, sending: body)
    }

    public func changeStaffRole(id: String, to role: StaffRole) async throws(DataError) -> StaffMember {
        try await perform(Contract.changeStaffRole, id, sending: StaffRoleRequest(role: role))
    }

    /// Makes a member a customer, or withdraws an invitation.
    public func removeStaff(id: String) async throws(DataError) {
        try await perform(Contract.removeStaff, id)
    }

    /// A page of the keys that are not revoked, the newest first.
    public func apiKeys(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<APIKey> {
        try await page(Contract.apiKeys, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Returns the key with its secret, which cannot be shown again.
    public func createAPIKey(
        name: String, scopes: [Permission], expiresAt: Date? = nil
    ) async throws(DataError) -> NewAPIKey {
        let body = APIKeyRequest(name: name, scopes: scopes, expiresAt: expiresAt)
        return try await perform(Contract.createAPIKey, sending: body)
    }

    public func revokeAPIKey(id: String) async throws(DataError) {
        try await perform(Contract.revokeAPIKey, id)
    }
}
