import Foundation
import PouchContract
import PouchEntities

/// The staff and API keys. Calls that change permissions require a fresh sign-in.
extension AdminManager {
    /// One page of the staff and open invitations.
    public func staff(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<StaffMember> {
        try await data.page(Contract.staff, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// The whole staff and all open invitations.
    public func allStaff() -> AllPages<StaffMember> {
        data.all(Contract.staff, query: PageQuery())
    }

    /// Sends an invitation by e-mail. It replaces an earlier one to the same address.
    ///
    /// - Throws: `.emailTaken` for a staff member, `.forbidden` for a role with more permissions than the caller.
    public func inviteStaff(email: String, as role: StaffRole) async throws(DataError) -> StaffMember {
        try await data.perform(Contract.inviteStaff, sending: StaffInvitationRequest(email: email, role: role))
    }

    /// Changes a member's role. It applies from the next request.
    ///
    /// - Throws: `.lastOwner`, `.forbidden`.
    public func changeStaffRole(id: String, to role: StaffRole) async throws(DataError) -> StaffMember {
        try await data.perform(Contract.changeStaffRole, id, sending: StaffRoleRequest(role: role))
    }

    /// Makes a member a customer and ends the member's sessions, or withdraws an invitation.
    ///
    /// - Throws: `.lastOwner`, `.forbidden`.
    public func removeStaff(id: String) async throws(DataError) {
        try await data.perform(Contract.removeStaff, id)
    }

    /// One page of the keys that are not revoked, newest first.
    public func apiKeys(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<APIKey> {
        try await data.page(Contract.apiKeys, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// All keys that are not revoked, newest first.
    public func allAPIKeys() -> AllPages<APIKey> {
        data.all(Contract.apiKeys, query: PageQuery())
    }

    /// Creates a key for a program.
    ///
    /// - Parameters:
    ///   - scopes: at least one, and only those that the caller has.
    ///   - expiresAt: nil for a key that is valid until it is revoked.
    /// - Returns: the key with its secret, which is shown only once.
    public func createAPIKey(
        name: String, scopes: [Permission], expiresAt: Date? = nil
    ) async throws(DataError) -> NewAPIKey {
        let body = APIKeyRequest(name: name, scopes: scopes, expiresAt: expiresAt)
        return try await data.perform(Contract.createAPIKey, sending: body)
    }

    /// Revokes a key, which takes effect immediately.
    public func revokeAPIKey(id: String) async throws(DataError) {
        try await data.perform(Contract.revokeAPIKey, id)
    }
}
