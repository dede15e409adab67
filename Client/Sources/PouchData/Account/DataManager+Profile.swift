import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    public func profile() async throws(DataError) -> Profile {
        try await perform(Contract.profile, .account(.profile))
    }

    /// - Parameters:
    ///   - mobileNumber: nil keeps it; the empty text clears it.
    ///   - avatarURL: nil keeps it; the empty text clears it.
    public func updateProfile(
        name: String? = nil, mobileNumber: String? = nil, avatarURL: String? = nil
    ) async throws(DataError) -> Profile {
        func change(_ text: String?) -> FieldChange<String> {
            text.map { $0.isEmpty ? .clear : .set($0) } ?? .keep
        }
        let body = ProfilePatch(name: name, mobileNumber: change(mobileNumber), avatarURL: change(avatarURL))
        return try await perform(Contract.updateProfile, sending: body) { .account(.updateProfile(body: $0)) }
    }

    /// Ends every session of the account and removes what identifies the person; its orders stay.
    public func deleteAccount(password: String) async throws(DataError) {
        try await perform(Contract.deleteAccount, sending: DeleteAccountRequest(password: password)) {
            .account(.delete(body: $0))
        }
    }

    /// All other sessions of the account end.
    public func changePassword(from current: String, to new: String) async throws(DataError) {
        let body = PasswordChangeRequest(currentPassword: current, newPassword: new)
        try await perform(Contract.changePassword, sending: body) { .account(.changePassword(body: $0)) }
    }
}
