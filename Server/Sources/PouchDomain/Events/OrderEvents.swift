import PouchEntities

extension EventLog {
    /// Appends the event of the status that an order has just entered.
    func append(_ order: Order, in repositories: any Repositories) throws {
        guard let type = EventType(entering: order.status) else { return }
        try append(type, order, in: repositories)
    }

    func append(_ type: EventType, _ order: Order, in repositories: any Repositories) throws {
        try append(type, of: order.id, EventData(order: order), in: repositories)
    }

    /// Appends the event of a refund that the provider has not made yet.
    func append(created refund: RefundRecord, in repositories: any Repositories) throws {
        try append(
            .refundCreated, of: refund.orderId, EventData(refund: refund.refund(isPending: true)), in: repositories)
    }

    /// Appends the event of a completed refund.
    ///
    /// - Parameter order: the order after the refund. Without it, the e-mail could not state the total refunds: another
    ///   refund may follow before the e-mail is queued.
    func append(made refund: RefundRecord, of order: Order, in repositories: any Repositories) throws {
        try append(
            .refundSucceeded, of: order.id, EventData(order: order, refund: refund.refund(isPending: false)),
            in: repositories)
    }

    /// Appends the event of a variant whose available units have fallen to the threshold.
    ///
    /// - Parameter before: the units before the change.
    func append(stockOf sku: String, price: Money, before: Int, after: Int, in repositories: any Repositories) throws {
        guard before > Availability.lowStock, after <= Availability.lowStock else { return }
        try append(
            .stockLow, of: sku, EventData(stock: Availability(sku: sku, price: price, available: after)),
            in: repositories)
    }
}

extension EventType {
    /// - Returns: nil for `pending`, since most orders leave it immediately, and for an unknown status.
    public init?(entering status: OrderStatus) {
        switch status {
        case .pending, .unrecognised: return nil
        case .paid: self = .orderPaid
        case .fulfilled: self = .orderFulfilled
        case .delivered: self = .orderDelivered
        case .cancelled: self = .orderCancelled
        case .refunded: self = .orderRefunded
        case .partiallyRefunded: self = .orderPartiallyRefunded
        }
    }
}
