import Foundation
import PouchEntities

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
        guard let customer = try customer(id: id) else { throw DomainError.notFound }
        return CustomerDetails(
            customer: customer, addresses: try repositories.accounts.addresses(accountId: id),
            orders: try repositories.orders.orders(ownerId: id, after: nil, limit: CustomerDetails.orderLimit)
                .map(\.order))
    }
}

extension CustomerDetails {
    static let orderLimit = 50
}
