import Foundation
import PouchEntities

/// A delivery method that a shop offers: one of its tariffs, or its courier.
public protocol DeliveryOption: Sendable {
    var id: String { get }

    /// The method with its price for a destination.
    ///
    /// - Parameters:
    ///   - grams: the total weight of all units.
    ///   - goods: the amount paid for the units.
    /// - Returns: nil if the option does not serve the destination or carry the weight.
    /// - Throws: `DomainError.locationRequired` if the price depends on a location and the destination has none;
    ///   `MoneyError`.
    func method(to place: Destination, grams: Int, goods: Money) throws -> ShippingMethod?
}

/// The shop's courier, who delivers by ride on the same day.
public protocol Courier: DeliveryOption {
    /// The well-known places that it delivers to, sorted by name.
    var places: [NamedLocation] { get }
    /// Books a ride that delivers a paid order from the shop to its address, for the price of its shipping.
    ///
    /// - Returns: false, without writing, if the courier does not serve the address or carry the weight.
    func book(id: String, for record: OrderRecord, at now: Date, in repositories: any Repositories) throws -> Bool
}

/// A step of the ride that delivers an order.
package enum DeliveryStep: Sendable {
    case pickedUp(at: Date)
    case arrived(at: Date)
    /// No courier came, or the ride was cancelled.
    case failed
}

/// Hands paid orders to the courier and updates them with the progress of their rides.
package struct OrderDelivery: Sendable {
    private let environment: DomainEnvironment
    private let pricing: Pricing

    package init(_ environment: DomainEnvironment) {
        self.environment = environment
        pricing = Pricing(environment)
    }

    /// Books the courier for a paid order and updates the order; does nothing for other delivery methods. If the
    /// courier no longer serves the order, since the shop may have moved, the order gets a delivery failure.
    func book(_ record: inout OrderRecord, in repositories: any Repositories) throws {
        guard let shipping = record.order.shipping, shipping.methodId == ShippingMethod.courierId else { return }
        let id = environment.ids.make(.ride)
        if try environment.courier?.book(id: id, for: record, at: environment.time.now, in: repositories) == true {
            record.order.change(shipping: shipping, rideId: id)
        } else {
            try fail(&record)
        }
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        record.version += 1
    }

    /// Updates an order after steps of its ride: it is fulfilled at the pick-up and delivered on arrival; after a
    /// failure, its buyer must choose another method. Each event has the order as its step left it, also if a server
    /// that was down makes several steps at once.
    package func apply(
        _ steps: [DeliveryStep], ofRide rideId: String, to before: OrderRecord, in repositories: any Repositories
    ) throws {
        guard before.order.rideId == rideId else { return }
        var record = before
        var entered: [Order] = []
        for step in steps {
            let status = record.order.status
            switch step {
            case .pickedUp(let time): record.order.move(to: .fulfilled, at: time)
            case .arrived(let time): record.order.move(to: .delivered, at: time)
            case .failed:
                if OrderMachine.allows(record.order, to: .fulfilled) { try fail(&record) }
            }
            if record.order.status != status { entered.append(record.order) }
        }
        guard record.order != before.order else { return }
        guard try repositories.orders.update(record) else { throw TransactionConflict() }
        for order in entered { try environment.events.append(order, in: repositories) }
        if record.order.deliveryFailure != before.order.deliveryFailure {
            try environment.events.append(.orderDeliveryChanged, record.order, in: repositories)
        }
    }

    /// Cancels the ride of an order that the ride will not deliver.
    func cancel(_ record: OrderRecord, in repositories: any Repositories) throws {
        guard let id = record.order.rideId else { return }
        try repositories.cancelRide(id: id, at: environment.time.now)
    }

    /// Offers the methods for the same address, including the courier, which may be available later.
    private func fail(_ record: inout OrderRecord) throws {
        let order = record.order
        // Without the discount on shipping.
        let goods = try order.lines.reduce(order.totals.items) { try $0.subtracting($1.discount) }
        let methods = try order.shipping.map { shipping in
            try pricing.methods(to: Destination(shipping.address), grams: record.grams, goods: goods)
        }
        record.order.change(
            shipping: order.shipping, rideId: order.rideId,
            deliveryFailure: DeliveryFailure(reason: .noKangaroo, methods: methods ?? []))
    }
}

extension Order {
    /// Enters the status unless the order is past it or has ended.
    fileprivate mutating func move(to status: OrderStatus, at time: Date) {
        if OrderMachine.allows(self, to: status) { enter(status, at: time) }
    }
}

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
