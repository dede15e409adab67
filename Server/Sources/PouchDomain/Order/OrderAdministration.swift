import PouchEntities

/// What administrators do with orders, whoever placed them.
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
    ///   - id: the last order of the page before.
    public func orders(
        status: OrderStatus?, after id: String?, limit: Int, in repositories: any Repositories
    ) throws -> (items: [Order], hasMore: Bool) {
        let found = try repositories.orders.orders(status: status, after: id, limit: limit + 1)
        return (found.prefix(limit).map(\.order), found.count > limit)
    }

    /// Writes that the order was sent. A kangaroo that has not fetched it yet is called off.
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

    /// Writes that the order has arrived.
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
