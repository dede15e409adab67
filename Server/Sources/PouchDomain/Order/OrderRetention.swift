import Foundation
import PouchEntities

/// Determines how long the orders of a deleted account name their buyer.
///
/// An order that still has to be sent needs the name and addresses, and the shop's bookkeeping needs them for some time
/// after. Then a job makes the order anonymous.
public struct OrderRetention: Sendable {
    /// The pause between two checks of an order that is still open.
    private static let pause: TimeInterval = 24 * 3600
    private static let batch = 100

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// The time from which an order of a deleted account no longer names its buyer; nil while the order is open.
    public func end(of order: Order) -> Date? {
        guard order.status != .pending, !order.isUnsent, let last = order.history.last else { return nil }
        // Without a payment, bookkeeping needs nothing.
        if order.payment.status == .failed { return last.at }
        return last.at.addingTimeInterval(Double(environment.shop.orderBuyerDays) * 24 * 3600)
    }

    /// Makes the orders of an account that is being deleted anonymous, immediately or later.
    func anonymise(ownerId: String, in repositories: any Repositories) throws {
        var after: String?
        repeat {
            let orders = try repositories.orders.orders(ownerId: ownerId, after: after, limit: Self.batch)
            for order in orders { try anonymise(order, in: repositories) }
            after = orders.count == Self.batch ? orders.last?.order.id : nil
        } while after != nil
    }

    /// Makes some of the due orders anonymous.
    ///
    /// - Returns: whether there may be more.
    public func anonymiseDue(in repositories: any Repositories) throws -> Bool {
        let orders = try repositories.orders.dueForAnonymity(at: environment.time.now, limit: Self.batch)
        for order in orders { try anonymise(order, in: repositories) }
        return orders.count == Self.batch
    }

    /// The time of the next check of an order.
    public func nextDue(_ repositories: any Repositories) throws -> Date? {
        try repositories.orders.nextAnonymity()
    }

    /// Makes an order anonymous, or stores when to check it again.
    private func anonymise(_ record: OrderRecord, in repositories: any Repositories) throws {
        let (id, now) = (record.order.id, environment.time.now)
        let end = end(of: record.order) ?? now.addingTimeInterval(Self.pause)
        if end > now {
            try repositories.orders.anonymise(id: id, at: end)
        } else {
            try repositories.orders.anonymise(id: id)
        }
    }
}
