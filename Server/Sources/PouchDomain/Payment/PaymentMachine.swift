import PouchEntities

/// Which status a payment may go into from which.
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
