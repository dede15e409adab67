import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    public func profile() async throws(DataError) -> Profile {
        try await perform(Contract.profile)
    }

    /// Changes the fields that are not nil. An empty string clears the mobile number or the avatar.
    public func updateProfile(
        name: String? = nil, mobileNumber: String? = nil, avatarURL: String? = nil
    ) async throws(DataError) -> Profile {
        func change(_ text: String?) -> FieldChange<String> {
            text.map { $0.isEmpty ? .clear : .set($0) } ?? .keep
        }
        let body = ProfilePatch(name: name, mobileNumber: change(mobileNumber), avatarURL: change(avatarURL))
        return try await perform(Contract.updateProfile, sending: body)
    }

    /// Ends all sessions of the account and removes personal data; its orders remain.
    public func deleteAccount(password: String) async throws(DataError) {
        let body = DeleteAccountRequest(password: password)
        try await mappingWrongPassword(
            await perform(Contract.deleteAccount, sending: body))
    }

    /// Changes the password and ends all other sessions of the account.
    public func changePassword(from current: String, to new: String) async throws(DataError) {
        let body = PasswordChangeRequest(currentPassword: current, newPassword: new)
        try await mappingWrongPassword(
            await perform(Contract.changePassword, sending: body))
    }

    public func addresses(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Address> {
        try await page(Contract.addresses, query: PageQuery(limit: limit, cursor: cursor))
    }

    /// Returns the address with its id.
    public func addAddress(_ address: Address) async throws(DataError) -> Address {
        try await sendOnce(Contract.addAddress, sending: AddressInput(address))
    }

    /// Replaces every field of the address with this id. Optional fields that are nil are cleared.
    public func updateAddress(id: String, to address: Address) async throws(DataError) -> Address {
        func change<Value: Sendable>(_ value: Value?) -> FieldChange<Value> { value.map { .set($0) } ?? .clear }
        var body = AddressPatch.empty
        body.name = address.name
        body.line1 = address.line1
        body.line2 = change(address.line2)
        body.city = address.city
        body.region = change(address.region)
        body.postalCode = address.postalCode
        body.country = address.country
        body.phone = change(address.phone)
        body.location = change(address.location)
        return try await perform(Contract.updateAddress, id, sending: body)
    }

    public func deleteAddress(id: String) async throws(DataError) {
        try await perform(Contract.deleteAddress, id)
    }
}
