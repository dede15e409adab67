import PouchEntities

/// Which status an order may go into from which.
///
/// A refund is not asked again when it is made, since the money is back by then. No order is anywhere from which a refund
/// could not go: one that is cancelled while some are owed stays so, and `RefundCalculator` lets none begin before the
/// charge was made or beyond it. What is worth nothing may follow when all is given back, and changes no status.
public enum OrderMachine {
    public static let transitions: [OrderStatus: Set<OrderStatus>] = [
        .pending: [.paid, .cancelled],
        .paid: [.fulfilled, .cancelled, .refunded, .partiallyRefunded],
        .fulfilled: [.delivered, .refunded, .partiallyRefunded],
        .delivered: [.refunded, .partiallyRefunded],
        // What was not refunded may still be sent, or cancelled.
        .partiallyRefunded: [.partiallyRefunded, .refunded, .fulfilled, .delivered, .cancelled],
        .cancelled: [],
        .refunded: [],
    ]

    public static func allows(_ from: OrderStatus, to: OrderStatus) -> Bool {
        transitions[from]?.contains(to) ?? false
    }

    /// Also asks the history, since a partial refund hides how far an order was: it is sent once, delivered once it was
    /// sent, and cancelled only before.
    static func allows(_ order: Order, to status: OrderStatus) -> Bool {
        let been = Set(order.history.map(\.status))
        guard allows(order.status, to: status), !been.contains(status) || status == .partiallyRefunded else {
            return false
        }
        return switch status {
        case .fulfilled: !been.contains(.delivered)
        case .cancelled: !been.contains(.fulfilled)
        case .delivered: been.contains(.fulfilled)
        default: true
        }
    }
}
