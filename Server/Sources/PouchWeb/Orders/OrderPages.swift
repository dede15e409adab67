import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

/// A row in a list of orders.
struct ListedOrder: TemplateValues {
    let url, title, statusName: String
    let isGood, isWarning, isBad: Bool
    let placed, timestamp, itemsText, total: String

    init(_ order: Order, _ visit: Visit) {
        let state = OrderState(order: order, visit: visit)
        let units = order.lines.reduce(0) { $0 + $1.quantity }
        url = PagePath.order(order.id)
        title = visit.text("order-name", order.number)
        statusName = state.name
        isGood = state.isGood
        isWarning = state.isWarning
        isBad = state.isBad
        placed = visit.language.day(order.createdAt, in: visit.site.shop.timeZone)
        timestamp = order.createdAt.formatted(.iso8601)
        itemsText = visit.text(units == 1 ? "products-one" : "products-many", visit.language.number(units))
        total = visit.language.price(order.totals.total)
    }
}

struct OrdersValues: PageModel {
    static let template = "orders"

    let orders: [ListedOrder]
    /// The links to other pages; nil for a list of one page.
    let pager: PagerLinks?
    /// Whether the form for an e-mail's link is open.
    let isLinkOpen: Bool
    /// The value of the link field, which is always empty.
    let token: String
    let signInUrl: String
}

/// The page of a visitor without orders and without an account.
struct OrderLinkValues: PageModel {
    static let template = "order-link"

    let token, signInUrl: String
}

extension PageRoutes {
    /// Adds the visitor's orders, each with its live status and forms, and the order of a link in an e-mail.
    func addOrderPages() {
        let orders = page("/orders", for: .guestOrCustomer) { try await OrderList.content($0) }
        addOrderLink(showing: orders)
        let order = page("/orders/{id}", for: .guestOrCustomer) { try await OrderPage.content($0) }
        file("/orders/{id}/live", for: .guestOrCustomer) { try await LiveOrder.response($0) }
        form(
            "/orders/{id}/cancel", does: Contract.cancelOrder, then: "/orders/{id}", notice: "order-cancelled",
            showing: order)
        form(
            "/orders/{id}/shipping", does: Contract.changeDelivery, then: "/orders/{id}", notice: "delivery-changed",
            showing: order)
    }

    /// Adds the form for the link in an e-mail. The link is `/orders#token`: a browser does not send the token until
    /// the page submits it in a form, so the token appears in no address and no log. The response is the order's page
    /// itself, because the page has no address for a visitor without the buyer's session.
    private func addOrderLink(showing orders: PageRoute) {
        form("/orders/link", for: .anyone, showing: orders) { submission in
            let visit = submission.visit
            let order = try await submission.send(Contract.orderByLink, ["token": .string(visit.linkToken)] as JSON)
            if let own = try await visit.own(order.id) { return Redirect(to: PagePath.order(own)) }
            return OrderPage(
                visit: visit, catalog: try await visit.site.services.catalog.current(), order: order
            ).content
        }
    }
}

extension Visit {
    /// The order's id if it belongs to the visitor's session.
    fileprivate func own(_ id: String) async throws -> String? {
        let visit = try await Visits(site: site).admitted(self, to: .guestOrCustomer)
        guard visit.session != nil else { return nil }
        do {
            return try await visit.read { try $1.orders.order(id: id, of: $0).order.id }
        } catch DomainError.notFound {
            return nil
        }
    }
}

/// The orders of a customer or of a guest's session, with the form for an e-mail's link.
struct OrderList {
    private static let pageSize = 20
    private static let signInURL = "/sign-in?next=/orders"

    static func content(_ visit: Visit) async throws -> PageContent {
        let page = visit.session == nil ? nil : try await read(visit)
        let items = page?.items ?? []
        let isFirst = visit.query("cursor") == nil
        if !visit.isSignedIn, items.isEmpty, isFirst {
            return PageContent(OrderLinkValues(token: "", signInUrl: signInURL), title: visit.text("order-link-title"))
        }
        let next = page?.nextCursor.map { PagePath.adding([("cursor", $0)], to: PagePath.orders) }
        let pager = PagerLinks(
            text: visit.text(isFirst ? "orders-latest" : "orders-earlier"),
            previousUrl: isFirst ? nil : PagePath.orders, nextUrl: next)
        let values = OrdersValues(
            orders: items.map { ListedOrder($0, visit) }, pager: isFirst && next == nil ? nil : pager,
            isLinkOpen: visit.failure != nil, token: "", signInUrl: signInURL)
        return visit.accountPage(values, in: PagePath.orders, title: "orders-title")
    }

    private static func read(_ visit: Visit) async throws -> Page<Order> {
        var query = QueryString([.init(name: "limit", value: String(pageSize))])
        query.append("cursor", visit.query("cursor"))
        let page = try PageQuery(query)
        return try await visit.read { [pager = visit.site.pager] principal, repositories in
            try pager.page(list: "orders", page, key: \.id) { after, limit in
                try repositories.orders.orders(ownerId: principal.ownerId, after: after, limit: limit).map(\.order)
            }
        }
    }
}
