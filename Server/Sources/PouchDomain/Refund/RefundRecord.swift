import Foundation
import PouchEntities

/// Money that goes back to a buyer. Once written it is given back without fail: what a crash or the provider left open is
/// tried again until it is done.
public struct RefundRecord: Sendable, Equatable {
    public struct Line: Codable, Sendable, Equatable {
        public let sku: String
        public let quantity: Int

        public init(sku: String, quantity: Int) {
            self.sku = sku
            self.quantity = quantity
        }
    }

    public let id: String
    public let orderId: String
    public let amount: Money
    /// The part of the amount that is tax.
    public let tax: Money
    /// The units that come back; empty for a refund by amount.
    public let lines: [Line]
    public let reason: String?
    public let createdAt: Date

    public init(
        id: String, orderId: String, amount: Money, tax: Money, lines: [Line], reason: String?, createdAt: Date
    ) {
        self.id = id
        self.orderId = orderId
        self.amount = amount
        self.tax = tax
        self.lines = lines
        self.reason = reason
        self.createdAt = createdAt
    }

    /// All that is left of what was charged for an order that is cancelled. Its units are put back by whoever cancels it.
    ///
    /// - Throws: `MoneyError`.
    init(id: String, ofCancelled refunded: RefundedOrder, createdAt: Date) throws(MoneyError) {
        self.init(
            id: id, orderId: refunded.order.id, amount: try refunded.left,
            tax: try refunded.order.totals.tax.subtracting(refunded.tax), lines: [], reason: nil, createdAt: createdAt)
    }
}
