import PouchEntities

/// An order as it is once the refunds are made that are still under way.
struct RefundedOrder {
    let order: Order
    /// The taxes of all its refunds, added up.
    let tax: Money

    /// - Throws: `MoneyError`.
    init(_ order: Order, in repositories: any Repositories) throws {
        let refunds = try repositories.refunds.refunds(orderId: order.id)
        self.order = try refunds.filter(\.isPending).reduce(order) { try $0.applying($1.refund) }
        tax = try refunds.reduce(.zero(order.payment.amount.currency)) { try $0.adding($1.refund.tax) }
    }

    /// What can be given back yet.
    var left: Money {
        get throws(MoneyError) { try order.payment.amount.subtracting(order.payment.refunded) }
    }
}
