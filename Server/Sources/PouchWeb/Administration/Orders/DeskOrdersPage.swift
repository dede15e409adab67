import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

/// The orders of all customers, as the query of the page selects them.
struct DeskOrdersPage {
    let desk: Desk

    func content() async throws -> PageContent {
        let selection = OrderSelection(desk.site, desk.visit)
        let search = OrderSearch(try OrderFilter(selection.query))
        let page = try await desk.list("all-orders", key: { (order: Order) in order.id }) {
            repositories, after, limit in
            try repositories.orders.orders(matching: search, after: after, limit: limit).map(\.order)
        }
        let values: PageValues = [
            "exportURL": PagePath.adding(selection.parameters, to: "/admin/exports/orders"),
            "tabs": selection.tabs(unsent: desk.unsent), "filter": selection.values, "hasOrders": !page.items.isEmpty,
            "orders": page.items.map(desk.row),
            "emptyText": selection.isSet ? "No order matches." : "No orders yet.",
            "pager": desk.pager(page, at: AdminPath.orders, keeping: OrderSelection.names),
        ]
        return PageContent("admin-orders", title: "Orders", values)
    }
}

/// The orders that the page and its export are to have, by the parameters of the page's address. Days are those of the
/// shop, and the last one counts.
struct OrderSelection {
    /// The parameters of the page's address.
    static let names = ["status", "unsent", "q", "sku", "from", "until"]

    private let timeZone: TimeZone
    private let status: OrderStatus?
    private let isUnsent: Bool
    private let text: String?
    private let sku: String?
    private let from: String?
    private let until: String?

    init(_ site: Site, _ visit: Visit) {
        timeZone = site.shop.timeZone
        status = visit.query("status").flatMap(OrderStatus.init).flatMap { $0 == .unrecognised ? nil : $0 }
        isUnsent = visit.query("unsent") == "true"
        text = visit.query("q")
        sku = visit.query("sku")
        from = visit.query("from")
        until = visit.query("until")
    }

    /// Whether it leaves orders out beyond those of a tab.
    var isSet: Bool { [text, sku, from, until].contains { $0 != nil } || status != nil || isUnsent }

    /// Those of the page's address.
    var parameters: [(name: String, value: String?)] { tabParameters(status, isUnsent) }

    private func tabParameters(_ status: OrderStatus?, _ isUnsent: Bool) -> [(name: String, value: String?)] {
        [
            ("status", status?.rawValue), ("unsent", isUnsent ? "true" : nil), ("q", text), ("sku", sku),
            ("from", from), ("until", until),
        ]
    }

    /// The query of the API for the same orders.
    var query: QueryString {
        var query = QueryString()
        query.append("status", status?.rawValue)
        query.append("unsent", isUnsent ? "true" : nil)
        query.append("q", text)
        query.append("sku", sku)
        query.append("from", from.flatMap { day($0) }?.formatted(.iso8601))
        query.append("until", until.flatMap { day($0, adding: 1) }?.formatted(.iso8601))
        return query
    }

    /// The start of a day of the shop, as `YYYY-MM-DD`; nil for another text.
    private func day(_ text: String, adding days: Int = 0) -> Date? {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = timeZone
        let style = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        guard let date = try? style.parse(text) else { return nil }
        return calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: date))
    }

    // MARK: Values

    var values: PageValues {
        [
            "status": shown(status?.rawValue), "isUnsent": isUnsent, "text": text ?? "",
            "sku": sku ?? "", "from": from ?? "", "until": until ?? "", "isSet": isSet,
        ]
    }

    func tabs(unsent: Desk.Count?) -> [PageValues] {
        let statuses: [OrderStatus] = [
            .pending, .paid, .fulfilled, .delivered, .partiallyRefunded, .refunded, .cancelled,
        ]
        let toSend = unsent.flatMap { $0.isZero ? nil : ["text": $0.text, "isUrgent": true] as PageValues }
        return [tab("All", nil), tab("To send", nil, isUnsent: true, count: toSend)]
            + statuses.map { tab($0.deskText, $0) }
    }

    private func tab(
        _ label: String, _ status: OrderStatus?, isUnsent: Bool = false, count: PageValues? = nil
    ) -> PageValues {
        [
            "label": label, "url": PagePath.adding(tabParameters(status, isUnsent), to: AdminPath.orders),
            "isCurrent": status == self.status && isUnsent == self.isUnsent, "count": shown(count),
        ]
    }
}
