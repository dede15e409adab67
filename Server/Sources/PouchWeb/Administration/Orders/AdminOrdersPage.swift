import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates
import PouchWire

struct AdminOrdersValues: PageModel {
    struct Filter: TemplateValues {
        let status: String?
        let isUnsent: Bool
        let text, sku, from, until: String
        let isSet: Bool
    }

    let exportURL: String
    let tabs: [ListTab]
    let filter: Filter
    let orders: [AdminOrderRow]
    let emptyText: String
    let pager: PagerValues?
}

/// The selection of orders for the page and its export, from the parameters of the page's address. Days are in the
/// shop's time zone, and the last day is included.
struct OrderSelection {
    let address: ListAddress
    private let timeZone: TimeZone
    private let status: OrderStatus?
    private let isUnsent: Bool

    init(_ visit: Visit) {
        address = ListAddress(AdminSection.orders.path, ["status", "unsent", "q", "sku", "from", "until"], of: visit)
        timeZone = visit.site.shop.timeZone
        status = address["status"].flatMap(OrderStatus.init).flatMap { $0 == .unrecognised ? nil : $0 }
        isUnsent = address["unsent"] == "true"
    }

    /// Whether the selection excludes any orders.
    var isSet: Bool { status != nil || isUnsent || ["q", "sku", "from", "until"].contains { address[$0] != nil } }

    /// The API query for the same orders.
    var query: QueryString {
        var query = QueryString()
        query.append("status", status?.rawValue)
        query.append("unsent", isUnsent ? "true" : nil)
        query.append("q", address["q"])
        query.append("sku", address["sku"])
        query.append("from", days.from.flatMap { day($0) }?.formatted(.iso8601))
        query.append("until", days.until.flatMap { day($0, adding: 1) }?.formatted(.iso8601))
        return query
    }

    /// The first and the last day, in chronological order.
    private var days: (from: String?, until: String?) {
        let (from, until) = (address["from"], address["until"])
        guard let from, let until, until < from else { return (from, until) }
        return (until, from)
    }

    /// The start of a `YYYY-MM-DD` day in the shop's time zone; nil for any other text.
    private func day(_ text: String, adding days: Int = 0) -> Date? {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = timeZone
        let style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        guard let date = try? style.parse(text) else { return nil }
        return calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: date))
    }

    // MARK: Values

    var values: AdminOrdersValues.Filter {
        .init(
            status: status?.rawValue, isUnsent: isUnsent, text: address["q"] ?? "", sku: address["sku"] ?? "",
            from: days.from ?? "", until: days.until ?? "", isSet: isSet)
    }

    func tabs(unsent: AdminVisit.Count?) -> [ListTab] {
        let statuses: [OrderStatus] = [
            .pending, .paid, .fulfilled, .delivered, .partiallyRefunded, .refunded, .cancelled,
        ]
        let toSend = unsent.flatMap { $0.isZero ? nil : ListTab.Count(text: $0.text, isUrgent: true) }
        return [tab("All", nil), tab("To send", nil, isUnsent: true, count: toSend)]
            + statuses.map { tab($0.adminStatus.text, $0) }
    }

    private func tab(
        _ label: String, _ status: OrderStatus?, isUnsent: Bool = false, count: ListTab.Count? = nil
    ) -> ListTab {
        .init(
            label: label,
            url: address.url(["status": status?.rawValue, "unsent": isUnsent ? "true" : nil, "cursor": nil]),
            isCurrent: status == self.status && isUnsent == self.isUnsent, count: count)
    }
}

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
    /// The page of all customers' orders, as selected by its query.
    func ordersPage() async throws -> PageContent {
        let selection = OrderSelection(visit)
        let search = try OrderSearch(selection.query)
        let page = try await list(
            "all-orders", like: Contract.allOrders, key: { (order: Order) in order.id }
        ) { repositories, after, limit in
            try repositories.orders.orders(matching: search, after: after, limit: limit).map(\.order)
        }
        let values = AdminOrdersValues(
            exportURL: selection.address.url(["cursor": nil], of: "/admin/exports/orders"),
            tabs: selection.tabs(unsent: unsent?.count), filter: selection.values,
            orders: page.items.map(row),
            emptyText: selection.isSet ? "No matching orders." : "No orders yet.", pager: selection.address.pager(page))
        return PageContent(values, title: "Orders")
    }

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
        id == ShippingMethod.courierId ? "Kangaroo" : visit.site.shop.shipping.first { $0.id == id }?.name ?? id
    }
}
