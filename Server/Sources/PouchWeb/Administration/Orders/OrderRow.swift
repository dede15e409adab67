import PouchDomain
import PouchEntities
import PouchTemplates

/// An order in a list.
struct AdminOrderRow: TemplateValues {
    let url, number, placedAt, placedText, customerName, email: String
    let status: StatusValues
    let isUnsent: Bool
    let deliveryText: String
    let units: Int
    let totalText: String
}

extension OrderStatus {
    /// The status for staff.
    var adminStatus: StatusValues {
        switch self {
        case .pending: StatusTone.warn.status("Payment pending")
        case .paid: StatusTone.plain.status("Paid")
        case .fulfilled: StatusTone.good.status("Sent")
        case .delivered: StatusTone.good.status("Delivered")
        case .cancelled: StatusTone.bad.status("Cancelled")
        case .refunded: StatusTone.bad.status("Refunded")
        case .partiallyRefunded: StatusTone.warn.status("Partly refunded")
        case .unrecognised: StatusTone.plain.status("Unknown")
        }
    }
}

extension Order {
    var units: Int { lines.reduce(0) { $0 + $1.quantity } }
}

extension AdminVisit {
    func row(_ order: Order) -> AdminOrderRow {
        AdminOrderRow(
            url: AdminPath.order(order.id), number: order.number, placedAt: machineTime(order.createdAt),
            placedText: time(order.createdAt), customerName: order.shipping?.address.name ?? "deleted",
            email: order.email ?? "", status: order.status.adminStatus, isUnsent: order.isUnsent,
            deliveryText: order.shipping.map { deliveryMethod($0.methodId) } ?? "", units: order.units,
            totalText: price(order.totals.total))
    }

    /// The name of a delivery method; its id if the method no longer exists.
    func deliveryMethod(_ id: String) -> String {
        id == ShippingMethod.courierId ? "Kangaroo" : site.shop.shipping.first { $0.id == id }?.name ?? id
    }
}
