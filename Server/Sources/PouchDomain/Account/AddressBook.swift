import PouchEntities

/// The addresses that a customer stores for later orders.
extension AccountService {
    private var rules: AddressRules { AddressRules(environment.shop) }

    public func addresses(_ principal: Principal, in repositories: any Repositories) throws -> [Address] {
        try repositories.accounts.addresses(accountId: principal.ownerId)
    }

    /// - Throws: `DomainError.invalid`, `.limitReached`.
    public func addAddress(
        _ address: Address, for principal: Principal, in repositories: any Repositories
    ) throws -> Address {
        let address = try rules.checked(address)
        guard try addresses(principal, in: repositories).count < ModelLimits.addresses else {
            throw DomainError.limitReached
        }
        let id = environment.ids.make(.address)
        try repositories.accounts.insert(address, id: id, accountId: principal.ownerId)
        return address.with(id: id)
    }

    /// - Throws: `DomainError.invalid`, `.notFound`.
    public func updateAddress(
        id: String, of principal: Principal, in repositories: any Repositories, _ change: (Address) -> Address
    ) throws -> Address {
        guard let old = try addresses(principal, in: repositories).first(where: { $0.id == id }) else {
            throw DomainError.notFound
        }
        let address = try rules.checked(change(old))
        guard try repositories.accounts.update(address, id: id, accountId: principal.ownerId) else {
            throw DomainError.notFound
        }
        return address
    }

    /// - Throws: `DomainError.notFound`.
    public func deleteAddress(id: String, of principal: Principal, in repositories: any Repositories) throws {
        guard try repositories.accounts.deleteAddress(id: id, accountId: principal.ownerId) else {
            throw DomainError.notFound
        }
    }
}

extension Address {
    public func with(id: String?) -> Address {
        Address(
            id: id, name: name, line1: line1, line2: line2, city: city, region: region, postalCode: postalCode,
            country: country, phone: phone, location: location)
    }
}
