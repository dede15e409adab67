import PouchEntities

/// The transitions between the statuses of an order.
///
/// A completed refund is applied without consulting this table, since the money has already been returned. That is safe
/// from every status: an order that is cancelled while refunds are open stays cancelled, and `RefundCalculator` refuses
/// refunds before the charge or above it. A refund of free units may follow a full refund; it changes no status.
public enum OrderMachine {
    public static let transitions: [OrderStatus: Set<OrderStatus>] = [
        .pending: [.paid, .cancelled],
        .paid: [.fulfilled, .cancelled, .refunded, .partiallyRefunded],
        .fulfilled: [.delivered, .refunded, .partiallyRefunded],
        .delivered: [.refunded, .partiallyRefunded],
        // The rest of the order may still be sent or cancelled.
        .partiallyRefunded: [.partiallyRefunded, .refunded, .fulfilled, .delivered, .cancelled],
        .cancelled: [],
        .refunded: [],
    ]

    public static func allows(_ from: OrderStatus, to: OrderStatus) -> Bool {
        transitions[from]?.contains(to) ?? false
    }

    /// Whether the order may enter the status, given its history, since a partial refund hides the order's progress: an
    /// order is sent once, delivered after it was sent, and cancelled only before.
    package static func allows(_ order: Order, to status: OrderStatus) -> Bool {
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

extension Order {
    /// Whether its buyer and the shop can cancel it. A pending order may or may not be paid, and a fully refunded order
    /// has ended.
    package var isCancellable: Bool {
        OrderMachine.allows(self, to: .cancelled) && [.captured, .partiallyRefunded].contains(payment.status)
    }
}

/// The transitions between the statuses of a payment.
public enum PaymentMachine {
    public static let transitions: [Payment.Status: Set<Payment.Status>] = [
        .pending: [.captured, .failed],
        .captured: [.partiallyRefunded, .refunded],
        .partiallyRefunded: [.partiallyRefunded, .refunded],
        .failed: [],
        .refunded: [],
    ]

    public static func allows(_ from: Payment.Status, to: Payment.Status) -> Bool {
        transitions[from]?.contains(to) ?? false
    }
}
