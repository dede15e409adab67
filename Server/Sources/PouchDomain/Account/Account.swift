import Foundation
import PouchEntities

/// A stored account.
public struct AccountRecord: Sendable, Equatable {
    public enum Role: Sendable, Equatable {
        case customer
        case staff(StaffRole)

        /// The owner of a shop.
        public static let admin = Role.staff(.owner)

        /// nil for a customer.
        public var staffRole: StaffRole? {
            if case .staff(let role) = self { role } else { nil }
        }
    }

    public let id: String
    public let role: Role
    public var name: String
    /// The address, normalized as in `AccountRules`; unique among accounts.
    public var email: String
    /// nil until the owner has shown that e-mails reach the address.
    public var emailVerifiedAt: Date?
    public var mobileNumber: String?
    public var avatarURL: String?
    /// The text that `PasswordHasher` created.
    public var passwordHash: String
    public let createdAt: Date

    public init(
        id: String, role: Role, name: String, email: String, mobileNumber: String?, avatarURL: String? = nil,
        passwordHash: String, createdAt: Date, emailVerifiedAt: Date? = nil
    ) {
        self.id = id
        self.role = role
        self.name = name
        self.email = email
        self.emailVerifiedAt = emailVerifiedAt
        self.mobileNumber = mobileNumber
        self.avatarURL = avatarURL
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }

    public var profile: Profile {
        Profile(
            id: id, name: name, email: email, mobileNumber: mobileNumber, avatarURL: avatarURL,
            emailVerified: emailVerifiedAt != nil)
    }
}

public protocol AccountRepository {
    /// - Returns: false, without writing, when the e-mail address already has an account.
    func insert(_ account: AccountRecord) throws -> Bool
    /// - Parameter locking: whether to lock the account until the transaction ends.
    func account(id: String, locking: Bool) throws -> AccountRecord?
    func account(email: String) throws -> AccountRecord?
    /// Writes everything except the id, the role and the creation time, which never change. No other account can have
    /// the e-mail address.
    func update(_ account: AccountRecord) throws
    /// Removes the account and its addresses.
    func delete(id: String) throws

    /// Stores a network of the account, and deletes the one that has been unused longest if there are too many.
    ///
    /// - Returns: the networks stored before.
    func noteNetwork(_ key: Data, accountId: String, at: Date, keeping limit: Int) throws -> KnownNetworks

    /// The addresses in the order in which they were added.
    func addresses(accountId: String) throws -> [Address]
    func insert(_ address: Address, id: String, accountId: String) throws
    /// - Returns: false when the account has no address with that id.
    func update(_ address: Address, id: String, accountId: String) throws -> Bool
    /// - Returns: false when the account had no address with that id.
    func deleteAddress(id: String, accountId: String) throws -> Bool
}

extension AccountRepository {
    func account(id: String) throws -> AccountRecord? { try account(id: id, locking: false) }
}

/// Hashes passwords slowly, on threads that serve no requests.
///
/// New hashes and comparisons wait in separate queues, so that sign-ups cannot block sign-ins, and one network cannot
/// fill a queue. Comparisons run before most hashes. A network is that of a client, as in `NetworkAddress.network`.
public protocol PasswordHasher: Sendable {
    /// - Returns: text with the hash, its salt and its cost.
    /// - Throws: `OverloadError` when too many callers wait, in total or from this network.
    func hash(_ password: String, network: String) async throws -> String

    /// Compares a password with a hash. Takes the same time for nil, so that the time does not reveal whether an
    /// account exists.
    ///
    /// - Throws: `OverloadError` when too many callers wait, in total or from this network.
    func verify(_ password: String, against hash: String?, network: String) async throws -> Bool
}

/// The customer accounts with their order totals, for the staff.
public protocol CustomerRepository {
    /// The customers, latest first, after the account with the id. A customer must match all terms.
    func customers(matching terms: [SearchTerm], after id: String?, limit: Int) throws -> [Customer]
    func customer(id: String) throws -> Customer?
}

extension CustomerRepository {
    /// A customer with addresses and the latest orders.
    ///
    /// - Throws: `DomainError.notFound`.
    public func details(id: String, in repositories: any Repositories) throws -> CustomerDetails {
        CustomerDetails(
            customer: try customer(id: id).orNotFound(), addresses: try repositories.accounts.addresses(accountId: id),
            orders: try repositories.orders.orders(ownerId: id, after: nil, limit: CustomerDetails.orderLimit)
                .map(\.order))
    }
}

extension CustomerDetails {
    static let orderLimit = 50
}
