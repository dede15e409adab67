import PouchEntities

/// Which status an order may go into from which.
public enum OrderMachine {
    public static let transitions: [OrderStatus: Set<OrderStatus>] = [
        .pending: [.paid, .cancelled],
        .paid: [.fulfilled, .cancelled, .refunded, .partiallyRefunded],
        .fulfilled: [.delivered, .refunded, .partiallyRefunded],
        .delivered: [.refunded, .partiallyRefunded],
        .partiallyRefunded: [.partiallyRefunded, .refunded],
        .cancelled: [],
        .refunded: [],
    ]

    public static func allows(_ from: OrderStatus, to: OrderStatus) -> Bool {
        transitions[from]?.contains(to) ?? false
    }
}
