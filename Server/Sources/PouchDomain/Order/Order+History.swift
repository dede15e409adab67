import Foundation
import PouchEntities

extension Order {
    /// Goes into the status; whether it may is for the caller to ask `OrderMachine`. Once it is not to be sent any more,
    /// nothing is wrong with its delivery either.
    mutating func enter(_ status: OrderStatus, payment: Payment? = nil, lines: [OrderLine]? = nil, at: Date) {
        self = Order(
            id: id, number: number, status: status, lines: lines ?? self.lines, totals: totals,
            payment: payment ?? self.payment, shipping: shipping, rideId: rideId,
            deliveryFailure: [.paid, .partiallyRefunded].contains(status) ? deliveryFailure : nil, email: email,
            createdAt: createdAt,
            history: history + (status == self.status ? [] : [Event(status: status, at: at)]))
    }

    /// Goes out in that way; with a kangaroo, by that ride.
    mutating func change(shipping: Shipping?, rideId: String?) {
        change(shipping: shipping, rideId: rideId, deliveryFailure: nil)
    }

    mutating func change(deliveryFailure: DeliveryFailure) {
        change(shipping: shipping, rideId: rideId, deliveryFailure: deliveryFailure)
    }

    private mutating func change(shipping: Shipping?, rideId: String?, deliveryFailure: DeliveryFailure?) {
        self = Order(
            id: id, number: number, status: status, lines: lines, totals: totals, payment: payment,
            shipping: shipping, rideId: rideId, deliveryFailure: deliveryFailure, email: email, createdAt: createdAt,
            history: history)
    }
}
