import Foundation
import PouchEntities

/// Reading orders. Somebody else's are not found.
public struct OrderService: Sendable {
    public init() {}

    /// - Parameter locking: whether it is to stay as it is until the transaction ends.
    /// - Throws: `DomainError.notFound`.
    public func order(
        id: String, of principal: Principal, locking: Bool = false, in repositories: any Repositories
    ) throws -> OrderRecord {
        guard let order = try repositories.orders.order(id: id, locking: locking), order.ownerId == principal.ownerId
        else {
            throw DomainError.notFound
        }
        return order
    }

    /// The latest first.
    ///
    /// - Parameter id: the last order of the page before.
    public func orders(
        of principal: Principal, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> (items: [Order], hasMore: Bool) {
        let found = try repositories.orders.orders(ownerId: principal.ownerId, after: id, limit: limit + 1)
        return (found.prefix(limit).map(\.order), found.count > limit)
    }
}
