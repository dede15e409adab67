import Foundation
import PouchEntities

/// Changes the shop for its administrators: fulfils and delivers the orders of all customers. Extensions, in the files
/// of their rules, change variants, scheduled prices and discount codes.
public struct ShopAdministration: Sendable {
    let environment: DomainEnvironment
    private let delivery: OrderDelivery

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        delivery = OrderDelivery(environment)
    }

    /// Marks an order as sent, and cancels its courier before the pick-up.
    ///
    /// - Parameters:
    ///   - orderId: the order's id or number.
    ///   - tracking: nil keeps the previous tracking data.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notFulfillable`, `.invalid`.
    public func fulfil(
        orderId: String, tracking: Tracking? = nil, ifMatch: Int?, in repositories: any Repositories
    ) throws -> OrderRecord {
        let tracking = try tracking.map { try $0.checked() }
        let record = try move(orderId, to: .fulfilled, otherwise: .notFulfillable, ifMatch: ifMatch, in: repositories) {
            if let tracking { $0.tracking = tracking }
        }
        try delivery.cancel(record, in: repositories)
        return record
    }

    /// Marks an order as delivered.
    ///
    /// - Parameter orderId: the order's id or number.
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.notDeliverable`.
    public func deliver(orderId: String, ifMatch: Int?, in repositories: any Repositories) throws -> OrderRecord {
        try move(orderId, to: .delivered, otherwise: .notDeliverable, ifMatch: ifMatch, in: repositories)
    }

    private func move(
        _ reference: String, to status: OrderStatus, otherwise refusal: DomainError, ifMatch: Int?,
        in repositories: any Repositories, also change: (inout Order) -> Void = { _ in }
    ) throws -> OrderRecord {
        var record = try repositories.orders.order(of: reference, locking: true)
        try record.check(ifMatch: ifMatch)
        guard OrderMachine.allows(record.order, to: status) else { throw refusal }
        record.order.enter(status, at: environment.time.now)
        change(&record.order)
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
        try environment.events.append(record.order, in: repositories)
        return record
    }
}
