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
    /// The name of the status for staff.
    var adminText: String {
        switch self {
        case .pending: "Payment pending"
        case .paid: "Paid"
        case .fulfilled: "Sent"
        case .delivered: "Delivered"
        case .cancelled: "Cancelled"
        case .refunded: "Refunded"
        case .partiallyRefunded: "Partly refunded"
        case .unrecognised: "Unknown"
        }
    }

    /// The values for the partial `admin-status`.
    var adminStatus: StatusValues {
        let tone: StatusTone =
            switch self {
            case .pending, .partiallyRefunded: .warn
            case .fulfilled, .delivered: .good
            case .cancelled, .refunded: .bad
            case .paid, .unrecognised: .plain
            }
        return tone.status(adminText)
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
