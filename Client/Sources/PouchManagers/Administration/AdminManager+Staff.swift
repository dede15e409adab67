import Foundation
import PouchData
import PouchEntities

/// The staff and API keys. Calls that change permissions need a fresh sign-in.
extension AdminManager {
    /// One page of the staff and of those who are invited to it.
    public func staff(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<StaffMember> {
        try await data.staff(limit: limit, cursor: cursor)
    }

    /// The whole staff, and those who are invited to it.
    public nonisolated func allStaff() -> AllPages<StaffMember> {
        AllPages { [data] cursor throws(DataError) in try await data.staff(limit: 200, cursor: cursor) }
    }

    /// Sends an invitation by mail. It replaces an earlier one to the same address.
    ///
    /// - Throws: `.emailTaken` for a member of the staff, `.forbidden` for a role that may do more than the caller.
    public func inviteStaff(email: String, as role: StaffRole) async throws(DataError) -> StaffMember {
        try await data.inviteStaff(email: email, as: role)
    }

    /// Changes a member's role, from the next request on.
    ///
    /// - Throws: `.lastOwner`, `.forbidden`.
    public func changeStaffRole(id: String, to role: StaffRole) async throws(DataError) -> StaffMember {
        try await data.changeStaffRole(id: id, to: role)
    }

    /// Makes a member a customer and ends the member's sessions, or withdraws an invitation.
    ///
    /// - Throws: `.lastOwner`, `.forbidden`.
    public func removeStaff(id: String) async throws(DataError) {
        try await data.removeStaff(id: id)
    }

    /// One page of the keys that are not revoked, the newest first.
    public func apiKeys(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<APIKey> {
        try await data.apiKeys(limit: limit, cursor: cursor)
    }

    /// All keys that are not revoked, the newest first.
    public nonisolated func allAPIKeys() -> AllPages<APIKey> {
        AllPages { [data] cursor throws(DataError) in try await data.apiKeys(limit: 200, cursor: cursor) }
    }

    /// Makes a key for a program.
    ///
    /// - Parameters:
    ///   - scopes: at least one, and only those that the caller has.
    ///   - expiresAt: nil for a key that is valid until it is revoked.
    /// - Returns: the key with its secret, which cannot be shown again.
    public func createAPIKey(
        name: String, scopes: [Permission], expiresAt: Date? = nil
    ) async throws(DataError) -> NewAPIKey {
        try await data.createAPIKey(name: name, scopes: scopes, expiresAt: expiresAt)
    }

    /// Revokes a key for all requests from now on.
    public func revokeAPIKey(id: String) async throws(DataError) {
        try await data.revokeAPIKey(id: id)
    }
}
