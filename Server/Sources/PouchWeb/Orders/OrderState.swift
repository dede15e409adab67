import Foundation
import PouchDomain
import PouchEntities

/// How far an order is, in words for its buyer.
struct OrderState {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    /// The word in the keys of texts.
    private var key: String {
        if order.deliveryFailure != nil { return "delivery-failed" }
        return switch order.status {
        case .pending: "pending"
        case .paid: "paid"
        case .fulfilled: "fulfilled"
        case .delivered: "delivered"
        case .cancelled: "cancelled"
        case .refunded: "refunded"
        case .partiallyRefunded: "partially-refunded"
        case .unrecognised: "unrecognised"
        }
    }

    /// The name of the status, and what it means for the buyer.
    func badge(_ site: Site, _ visit: Visit) -> PageValues {
        let isWarning = order.deliveryFailure != nil || [.pending, .partiallyRefunded].contains(order.status)
        let isBad = [.cancelled, .refunded].contains(order.status)
        return [
            "statusName": site.text("order-\(key)", visit), "isGood": !isWarning && !isBad, "isWarning": isWarning,
            "isBad": isBad,
        ]
    }

    func sentence(_ site: Site, _ visit: Visit) -> String {
        let isCourier = order.shipping?.methodId == ShippingMethod.courierId
        let special = "order-\(key)-kangaroo-text"
        return isCourier && site.texts(visit)[special] != nil
            ? site.text(special, visit) : site.text("order-\(key)-text", visit)
    }

    /// The statuses that it has had with their times, and those that are usually to come.
    func steps(_ site: Site, _ visit: Visit) -> [PageValues] {
        let past = order.history
        let been = Set(past.map(\.status))
        var coming: [OrderStatus] = []
        if been.isDisjoint(with: [.cancelled, .refunded]) {
            coming = [.paid, .fulfilled, .delivered].filter { !been.contains($0) }
            // A delivered order was sent, and one that was sent is paid, whatever the history says.
            if let last = [.delivered, .fulfilled].first(where: been.contains) {
                coming = last == .delivered ? [] : coming.filter { $0 == .delivered }
            }
        }
        let done = past.enumerated().map { place, event -> PageValues in
            [
                "label": label(event.status, site, visit), "time": visit.language.time(event.at, in: site.shop.timeZone),
                "timestamp": event.at.formatted(.iso8601), "isDone": true, "isCurrent": place == past.count - 1,
            ]
        }
        return done
            + coming.map { status in
                ["label": label(status, site, visit), "time": "", "timestamp": "", "isDone": false, "isCurrent": false]
            }
    }

    private func label(_ status: OrderStatus, _ site: Site, _ visit: Visit) -> String {
        let word = status == .partiallyRefunded ? "partially-refunded" : status.rawValue
        return site.text("step-\(word)", visit)
    }

    /// What happened to the money.
    func payment(_ site: Site, _ visit: Visit) -> String {
        let payment = order.payment
        let price = visit.language.price
        return switch payment.status {
        case .pending: site.text("payment-pending", visit, price(payment.amount))
        case .captured: site.text("payment-captured", visit, price(payment.amount))
        case .failed: site.text("payment-failed", visit)
        case .partiallyRefunded:
            site.text("payment-partially-refunded", visit, price(payment.amount), price(payment.refunded))
        case .refunded: site.text("payment-refunded", visit, price(payment.refunded))
        case .unrecognised: price(payment.amount)
        }
    }
}
