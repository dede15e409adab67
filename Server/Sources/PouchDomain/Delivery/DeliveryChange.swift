import PouchEntities

extension CheckoutService {
    /// Changes the delivery method of a paid order whose courier failed. A lower price is refunded; the shop pays a
    /// higher one. Repeating the choice changes nothing.
    ///
    /// - Throws: `DomainError.notFound`, `.versionConflict`, `.deliverySettled`, `.unknownShippingMethod`.
    public func changeDelivery(
        methodId: String, forOrder id: String, of principal: Principal, ifMatch: Int?
    ) async throws -> OrderRecord {
        let (record, refund) = try await environment.store.write(.readCommitted) { repositories in
            _ = try principal.lockSession(in: repositories)
            return try changeDelivery(methodId, id, principal, ifMatch, in: repositories)
        }
        guard let refund else { return record }
        // If the provider is unreachable, the settlement makes the refund later.
        do { try await settlement.makeRefund(refund) } catch is PaymentProviderError {}
        return try await environment.store.read { try $0.orders.order(id: id, of: principal) }
    }

    private func changeDelivery(
        _ methodId: String, _ id: String, _ principal: Principal, _ ifMatch: Int?, in repositories: any Repositories
    ) throws -> (OrderRecord, RefundRecord?) {
        var record = try repositories.orders.order(id: id, of: principal, locking: true)
        try record.check(ifMatch: ifMatch)
        guard let failure = record.order.deliveryFailure, let old = record.order.shipping else {
            if record.order.shipping?.methodId == methodId { return (record, nil) }
            throw DomainError.deliverySettled
        }
        guard let method = failure.methods.first(where: { $0.id == methodId }) else {
            throw DomainError.unknownShippingMethod
        }
        let refund = try difference(from: old, to: method, of: record.order, in: repositories)
        if let refund {
            try repositories.refunds.insert(refund)
            try environment.events.append(created: refund, in: repositories)
        }
        let price = method.price.amount < old.price.amount ? method.price : old.price
        record.order.change(shipping: Shipping(methodId: methodId, address: old.address, price: price), rideId: nil)
        guard methodId != ShippingMethod.courierId else {
            try delivery.book(&record, in: repositories)
            try environment.events.append(.orderDeliveryChanged, record.order, in: repositories)
            return (record, refund)
        }
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
        try environment.events.append(.orderDeliveryChanged, record.order, in: repositories)
        return (record, refund)
    }

    /// The refund of the paid shipping above the new price, at most the rest of the charge.
    private func difference(
        from old: Shipping, to method: ShippingMethod, of order: Order, in repositories: any Repositories
    ) throws -> RefundRecord? {
        // A discount that exceeds those of the lines is a discount on shipping.
        let off = try order.lines.reduce(order.totals.discount) { try $0.subtracting($1.discount) }
        let saved = try old.price.subtracting(off).subtracting(method.price)
        let refunded = try RefundedOrder(order, in: repositories)
        let amount = Money(min(saved.amount, try refunded.left.amount), saved.currency)
        guard amount.amount > 0 else { return nil }
        return try refunded.refund(
            .amount(amount), id: environment.ids.make(.refund), reason: "Delivery method changed",
            at: environment.time.now)
    }
}
