import Foundation
import PouchEntities

/// Reads the orders of a principal; those of others are not found.
public struct OrderService: Sendable {
    public init() {}

    /// - Parameter locking: whether to lock the order until the transaction ends.
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
    /// - Parameter id: the last order of the previous page.
    public func orders(
        of principal: Principal, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> (items: [Order], hasMore: Bool) {
        let found = try repositories.orders.orders(ownerId: principal.ownerId, after: id, limit: limit + 1)
        return (found.prefix(limit).map(\.order), found.count > limit)
    }
}

/// Lists, fulfils and delivers the orders of all customers.
public struct OrderAdministration: Sendable {
    private let environment: DomainEnvironment
    private let delivery: OrderDelivery

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        delivery = OrderDelivery(environment)
    }

    /// The latest first.
    ///
    /// - Parameters:
    ///   - status: nil for all.
    ///   - id: the last order of the previous page.
    public func orders(
        status: OrderStatus?, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> (items: [Order], hasMore: Bool) {
        let found = try repositories.orders.orders(status: status, after: id, limit: limit + 1)
        return (found.prefix(limit).map(\.order), found.count > limit)
    }

    /// Marks an order as sent, and cancels its courier before the pick-up.
    ///
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notFulfillable`.
    public func fulfil(
        orderId: String, ifMatch: Int?, in repositories: any Repositories
    ) throws -> OrderRecord {
        let record = try move(
            orderId, to: .fulfilled, otherwise: .notFulfillable, ifMatch: ifMatch, in: repositories)
        try delivery.cancel(record, in: repositories)
        return record
    }

    /// Marks an order as delivered.
    ///
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notDeliverable`.
    public func deliver(
        orderId: String, ifMatch: Int?, in repositories: any Repositories
    ) throws -> OrderRecord {
        try move(orderId, to: .delivered, otherwise: .notDeliverable, ifMatch: ifMatch, in: repositories)
    }

    private func move(
        _ id: String, to status: OrderStatus, otherwise refusal: DomainError, ifMatch: Int?,
        in repositories: any Repositories
    ) throws -> OrderRecord {
        guard var record = try repositories.orders.order(id: id, locking: true) else { throw DomainError.notFound }
        guard ifMatch == nil || ifMatch == record.version else { throw DomainError.versionConflict }
        guard OrderMachine.allows(record.order, to: status) else { throw refusal }
        record.order.enter(status, at: environment.time.now)
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
        return record
    }
}
