import PouchEntities

/// Changes the delivery method of a paid order whose courier failed.
public struct DeliveryChange: Sendable {
    private let environment: DomainEnvironment
    private let delivery: OrderDelivery
    private let settlement: OrderSettlement

    public init(_ environment: DomainEnvironment, settlement: OrderSettlement) {
        self.environment = environment
        self.settlement = settlement
        delivery = OrderDelivery(environment)
    }

    /// Chooses another method. A lower price is refunded; a higher one the shop bears. Repeating the choice changes
    /// nothing.
    ///
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.deliverySettled`, `.unknownShippingMethod`.
    public func choose(
        methodId: String, forOrder id: String, of principal: Principal, ifMatch: Int?
    ) async throws -> OrderRecord {
        let (record, refund) = try await environment.store.write(.readCommitted) { repositories in
            _ = try principal.lockSession(in: repositories)
            return try choose(methodId, id, principal, ifMatch, in: repositories)
        }
        guard let refund else { return record }
        // If the provider cannot be reached, the settlement makes the refund later.
        do { try await settlement.makeRefund(refund) } catch is PaymentProviderError {}
        return try await environment.store.read {
            try OrderService().order(id: id, of: principal, in: $0)
        }
    }

    private func choose(
        _ methodId: String, _ id: String, _ principal: Principal, _ ifMatch: Int?, in repositories: any Repositories
    ) throws -> (OrderRecord, RefundRecord?) {
        var record = try OrderService().order(id: id, of: principal, locking: true, in: repositories)
        guard ifMatch == nil || ifMatch == record.version else { throw DomainError.versionConflict }
        guard let failure = record.order.deliveryFailure, let old = record.order.shipping else {
            if record.order.shipping?.methodId == methodId { return (record, nil) }
            throw DomainError.deliverySettled
        }
        guard let method = failure.methods.first(where: { $0.id == methodId }) else {
            throw DomainError.unknownShippingMethod
        }
        let refund = try difference(from: old, to: method, of: record.order, in: repositories)
        if let refund { try repositories.refunds.insert(refund) }
        let price = method.price.amount < old.price.amount ? method.price : old.price
        record.order.change(
            shipping: Shipping(methodId: methodId, address: old.address, price: price), rideId: nil)
        guard methodId != ShopSettings.courierId else {
            try delivery.book(&record, in: repositories)
            return (record, refund)
        }
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
        return (record, refund)
    }

    /// The refund of the paid shipping above the new price, at most what is left of the charge.
    private func difference(
        from old: Shipping, to method: ShippingMethod, of order: Order, in repositories: any Repositories
    ) throws -> RefundRecord? {
        // A discount beyond those of the lines is a discount on the shipping.
        let off = try order.lines.reduce(order.totals.discount) { try $0.subtracting($1.discount) }
        let saved = try old.price.subtracting(off).subtracting(method.price)
        let left = try RefundedOrder(order, in: repositories).left
        let amount = Money(min(saved.amount, left.amount), saved.currency)
        guard amount.amount > 0 else { return nil }
        return try RefundService.refund(
            environment.ids.make(.refund), of: order, .amount(amount), reason: "Another way of delivery",
            at: environment.time.now, in: repositories)
    }
}
