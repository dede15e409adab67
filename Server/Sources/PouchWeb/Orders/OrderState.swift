import Foundation
import PouchDomain
import PouchEntities

/// The state of an order, described for its buyer.
struct OrderState {
    let order: Order
    let site: Site
    let visit: Visit

    /// The name of the status.
    var name: String { site.text("order-status-\(order.status.key)", visit) }

    var isGood: Bool { !isWarning && !isBad }

    var isWarning: Bool {
        order.deliveryFailure != nil || [.pending, .partiallyRefunded].contains(order.status)
    }

    var isBad: Bool { [.cancelled, .refunded].contains(order.status) }

    /// A sentence that explains the status to the buyer.
    var sentence: String {
        if order.deliveryFailure != nil { return site.text("order-delivery-failed", visit) }
        let isHopping = order.status == .fulfilled && order.shipping?.methodId == ShippingMethod.courierId
        return site.text(isHopping ? "order-text-kangaroo" : "order-text-\(order.status.key)", visit)
    }

    /// The past statuses with their times, followed by the usual next ones.
    var steps: [OrderValues.Step] {
        let past = order.history
        let been = Set(past.map(\.status))
        var coming: [OrderStatus] = []
        if been.isDisjoint(with: [.cancelled, .refunded]) {
            coming = [.paid, .fulfilled, .delivered].filter { !been.contains($0) }
            // A delivered order was sent, and a sent order was paid, even if the history does not include it.
            if let last = [.delivered, .fulfilled].first(where: been.contains) {
                coming = last == .delivered ? [] : coming.filter { $0 == .delivered }
            }
        }
        func step(_ status: OrderStatus, at time: Date?, isCurrent: Bool) -> OrderValues.Step {
            .init(
                label: site.text("step-\(status.key)", visit),
                time: time.map { visit.language.time($0, in: site.shop.timeZone) },
                timestamp: time.map { $0.formatted(.iso8601) }, isDone: time != nil, isCurrent: isCurrent)
        }
        let done = past.enumerated().map { place, event in
            step(event.status, at: event.at, isCurrent: place == past.count - 1)
        }
        return done + coming.map { step($0, at: nil, isCurrent: false) }
    }

    /// The state of the payment.
    var payment: String {
        let payment = order.payment
        let price = visit.language.price
        return switch payment.status {
        case .pending: site.text("payment-pending", visit, price(payment.amount))
        case .captured: site.text("payment-captured", visit, price(payment.amount))
        case .failed: site.text("payment-failed", visit)
        case .partiallyRefunded:
            site.text("payment-partly-refunded", visit, price(payment.amount), price(payment.refunded))
        case .refunded: site.text("payment-refunded", visit, price(payment.refunded))
        case .unrecognised: price(payment.amount)
        }
    }
}

extension OrderStatus {
    /// The status as part of a text's key.
    fileprivate var key: String { self == .partiallyRefunded ? "partly-refunded" : rawValue }
}
