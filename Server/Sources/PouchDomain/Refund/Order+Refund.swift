import Foundation
import PouchEntities

extension Order {
    /// As it is once the refund is made; `OrderMachine` says why it is not asked. A cancelled order stays cancelled.
    ///
    /// - Throws: `MoneyError`.
    func applying(_ refund: RefundRecord) throws(MoneyError) -> Order {
        let refunded = try payment.refunded.adding(refund.amount)
        let isWhole = refunded == payment.amount
        let units = Dictionary(refund.lines.map { ($0.sku, $0.quantity) }, uniquingKeysWith: +)
        var order = self
        order.enter(
            status == .cancelled ? .cancelled : isWhole ? .refunded : .partiallyRefunded,
            payment: Payment(
                id: payment.id, status: isWhole ? .refunded : .partiallyRefunded, amount: payment.amount,
                refunded: refunded),
            lines: lines.map { $0.refunding(units[$0.sku] ?? 0) },
            at: refund.createdAt)
        return order
    }
}

extension OrderLine {
    fileprivate func refunding(_ units: Int) -> OrderLine {
        OrderLine(
            sku: sku, name: name, options: options, quantity: quantity, unitPrice: unitPrice, lineTotal: lineTotal,
            discount: discount, tax: tax, refundedQuantity: refundedQuantity + units)
    }
}
