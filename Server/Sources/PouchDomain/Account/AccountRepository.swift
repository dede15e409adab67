import PouchEntities

public protocol AccountRepository {
    /// - Returns: false when the e-mail address has an account already; nothing is stored then.
    func insert(_ account: AccountRecord) throws -> Bool
    func account(id: String) throws -> AccountRecord?
    func account(email: String) throws -> AccountRecord?
    /// Name, mobile number, avatar and password hash are written; the rest of a record never changes.
    func update(_ account: AccountRecord) throws
    /// Removes the account and its addresses.
    func delete(id: String) throws

    /// In the order in which they were added.
    func addresses(accountId: String) throws -> [Address]
    func insert(_ address: Address, id: String, accountId: String) throws
    /// - Returns: whether the account has an address with that id.
    func update(_ address: Address, id: String, accountId: String) throws -> Bool
    /// - Returns: whether the account had an address with that id.
    func deleteAddress(id: String, accountId: String) throws -> Bool
}
