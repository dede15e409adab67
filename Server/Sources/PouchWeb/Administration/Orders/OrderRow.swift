import PouchDomain
import PouchEntities

extension OrderStatus {
    /// As the staff says it.
    var deskStatus: DeskStatus {
        switch self {
        case .pending: .warn("Payment pending")
        case .paid: .plain("Paid")
        case .fulfilled: .good("Sent")
        case .delivered: .good("Delivered")
        case .cancelled: .bad("Cancelled")
        case .refunded: .bad("Refunded")
        case .partiallyRefunded: .warn("Partly refunded")
        case .unrecognised: .plain("Unknown")
        }
    }
}

extension Order {
    /// Whether it still has to be sent, as `OrderSearch` finds it.
    var isUnsent: Bool {
        [.paid, .partiallyRefunded].contains(status) && OrderMachine.allows(self, to: .fulfilled)
            && lines.contains { $0.quantity > $0.refundedQuantity }
    }

    var units: Int { lines.reduce(0) { $0 + $1.quantity } }
}

extension Desk {
    /// The values of an order in a list.
    func row(_ order: Order) -> PageValues {
        [
            "url": AdminPath.order(order.id), "number": order.number, "placedAt": machineTime(order.createdAt),
            "placedText": shortTime(order.createdAt), "customerName": order.shipping?.address.name ?? "deleted",
            "email": order.email ?? "", "status": order.status.deskStatus.values, "isUnsent": order.isUnsent,
            "deliveryText": order.shipping.map { deliveryMethod($0.methodId) } ?? "", "units": order.units,
            "totalText": price(order.totals.total),
        ]
    }
}
