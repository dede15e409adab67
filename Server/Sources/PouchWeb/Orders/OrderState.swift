import Foundation
import PouchDomain
import PouchEntities

/// The state of an order, in words for its buyer.
struct OrderState {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    /// The name of the status.
    func badge(_ site: Site, _ visit: Visit) -> PageValues {
        let isWarning = order.deliveryFailure != nil || [.pending, .partiallyRefunded].contains(order.status)
        let isBad = [.cancelled, .refunded].contains(order.status)
        return [
            "statusName": site.text("order-status-\(order.status.key)", visit), "isGood": !isWarning && !isBad,
            "isWarning": isWarning, "isBad": isBad,
        ]
    }

    /// The meaning of the status for the buyer.
    func sentence(_ site: Site, _ visit: Visit) -> String {
        if order.deliveryFailure != nil { return site.text("order-delivery-failed", visit) }
        let isHopping = order.status == .fulfilled && order.shipping?.methodId == ShippingMethod.courierId
        return site.text(isHopping ? "order-text-kangaroo" : "order-text-\(order.status.key)", visit)
    }

    /// The statuses that it has had with their times, and those that are usually to come.
    func steps(_ site: Site, _ visit: Visit) -> [PageValues] {
        let past = order.history
        let been = Set(past.map(\.status))
        var coming: [OrderStatus] = []
        if been.isDisjoint(with: [.cancelled, .refunded]) {
            coming = [.paid, .fulfilled, .delivered].filter { !been.contains($0) }
            // A delivered order was sent, and one that was sent is paid, even if the history lacks it.
            if let last = [.delivered, .fulfilled].first(where: been.contains) {
                coming = last == .delivered ? [] : coming.filter { $0 == .delivered }
            }
        }
        let done = past.enumerated().map { place, event -> PageValues in
            [
                "label": site.text("step-\(event.status.key)", visit),
                "time": visit.language.time(event.at, in: site.shop.timeZone),
                "timestamp": event.at.formatted(.iso8601), "isDone": true, "isCurrent": place == past.count - 1,
            ]
        }
        return done
            + coming.map { status in
                ["label": site.text("step-\(status.key)", visit), "isDone": false, "isCurrent": false]
            }
    }

    /// The state of the payment.
    func payment(_ site: Site, _ visit: Visit) -> String {
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
    /// Its part of a text's key.
    fileprivate var key: String { self == .partiallyRefunded ? "partly-refunded" : rawValue }
}
