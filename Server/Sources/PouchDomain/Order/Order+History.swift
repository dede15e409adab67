import Foundation
import PouchEntities

extension Order {
    /// Goes into the status; whether it may is for the caller to ask `OrderMachine`.
    mutating func enter(_ status: OrderStatus, payment: Payment? = nil, lines: [OrderLine]? = nil, at: Date) {
        self = Order(
            id: id, number: number, status: status, lines: lines ?? self.lines, totals: totals,
            payment: payment ?? self.payment, shipping: shipping, email: email, createdAt: createdAt,
            history: history + (status == self.status ? [] : [Event(status: status, at: at)]))
    }
}
