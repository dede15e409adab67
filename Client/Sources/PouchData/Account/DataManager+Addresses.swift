import PouchContract
import PouchEntities
import PouchService
import PouchWire

extension DataManager {
    public func addresses(limit: Int? = nil, cursor: String? = nil) async throws(DataError) -> Page<Address> {
        try await page(Contract.addresses, .account(.addresses(limit: limit, cursor: cursor)))
    }

    /// - Returns: the address with its id.
    public func addAddress(_ address: Address) async throws(DataError) -> Address {
        try await once(Contract.addAddress, .addAddress, sending: AddressInput(address))
    }

    /// Replaces every field of the address that has this id; those that are nil are cleared.
    public func updateAddress(id: String, to address: Address) async throws(DataError) -> Address {
        func change<Value: Sendable>(_ value: Value?) -> FieldChange<Value> { value.map { .set($0) } ?? .clear }
        var body = AddressPatch()
        body.name = address.name
        body.line1 = address.line1
        body.line2 = change(address.line2)
        body.city = address.city
        body.region = change(address.region)
        body.postalCode = address.postalCode
        body.country = address.country
        body.phone = change(address.phone)
        body.location = change(address.location)
        return try await perform(Contract.updateAddress, sending: body) {
            .account(.updateAddress(id: id, body: $0))
        }
    }

    public func deleteAddress(id: String) async throws(DataError) {
        try await perform(Contract.deleteAddress, .account(.deleteAddress(id: id)))
    }
}
