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
        let units = order.units
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

struct OrderValues: PageModel {
    struct Details: TemplateValues {
        let title, statusName: String
        let isGood, isWarning, isBad: Bool
        let statusText: String
        let steps: [Step]
        let tracking: Tracking?
        let lines: [BoughtLine]
        let totals: SumValues
        let placed, timestamp: String
        let shippingMethod, handover: String?
        let addressLines: [String]
        let paymentText: String
        let email: String?
        /// Whether the page follows events.
        let isLive: Bool
        /// nil for an order opened by a link, like everything that only the buyer sees.
        let liveUrl: String?
        let deliveryFailure: DeliveryFailure?
        let map: KangarooMap.Values?
        let canCancel: Bool
        let cancelAction: String?
    }

    struct Step: TemplateValues {
        let label: String
        /// The time of the step; nil for a future step.
        let time, timestamp: String?
        let isDone, isCurrent: Bool
    }

    struct Tracking: TemplateValues {
        let carrier, number: String
        let isLinked: Bool
        let trackingUrl: String?
    }

    /// The delivery methods to choose from after the original one has failed.
    struct DeliveryFailure: TemplateValues {
        let text, action: String
        let methods: [DeliveryChoice]
    }

    let isSignedIn: Bool
    let order: Details
}

/// The page of an order: its status, lines, totals and delivery, and the changes its buyer can still make.
struct OrderPage {
    /// The parts that only the buyer sees: the live status, and the forms.
    struct Own: Sendable {
        let record: OrderRecord
        /// The courier's ride; nil for other delivery methods.
        let ride: RideRecord?
    }

    let visit: Visit
    let catalog: CatalogSnapshot
    let order: Order
    /// The parts for the buyer; nil for an order opened by a link, which is read-only.
    var own: Own?

    static func content(_ visit: Visit) async throws -> PageContent {
        let own = try await visit.own(order: try visit.parameter("id"))
        return OrderPage(
            visit: visit, catalog: try await visit.site.services.catalog.current(), order: own.record.order,
            own: own
        ).content
    }

    var content: PageContent {
        let title = visit.text("order-name", order.number)
        return PageContent(OrderValues(isSignedIn: visit.isSignedIn, order: details(title)), title: title)
    }

    private func details(_ title: String) -> OrderValues.Details {
        let state = OrderState(order: order, visit: visit)
        let lines = LineValues(visit: visit, catalog: catalog)
        let method = order.shipping.map { visit.deliveryName($0.methodId) }
        let totals = order.totals.values(
            visit.language, discount: own?.record.discount?.code, shipping: method, refunded: order.payment.refunded)
        let map = own?.ride.flatMap { KangarooMap($0, at: visit.site.now)?.values(visit) }
        let isOwn = own != nil
        return OrderValues.Details(
            title: title, statusName: state.name, isGood: state.isGood, isWarning: state.isWarning,
            isBad: state.isBad, statusText: state.sentence, steps: state.steps,
            tracking: order.tracking.map(tracking), lines: order.lines.map(lines.line), totals: totals,
            placed: visit.language.time(order.createdAt, in: visit.site.shop.timeZone),
            timestamp: order.createdAt.formatted(.iso8601), shippingMethod: method,
            handover: visit.site.handoverPlace(of: order).map { visit.text("order-handover", $0) },
            addressLines: order.shipping.map { visit.language.lines($0.address) } ?? [], paymentText: state.payment,
            email: order.email, isLive: isOwn && !order.hasEnded, liveUrl: own.map(LiveOrder.path),
            deliveryFailure: deliveryFailure, map: map, canCancel: isOwn && order.isCancellable,
            cancelAction: isOwn ? PagePath.order(order.id) + "/cancel" : nil)
    }

    private func tracking(_ tracking: Tracking) -> OrderValues.Tracking {
        .init(
            carrier: tracking.carrier, number: tracking.number, isLinked: tracking.url != nil,
            trackingUrl: tracking.url)
    }

    private var deliveryFailure: OrderValues.DeliveryFailure? {
        guard own != nil, let failure = order.deliveryFailure else { return nil }
        return OrderValues.DeliveryFailure(
            text: visit.text("order-no-kangaroo"), action: PagePath.order(order.id) + "/shipping",
            methods: failure.methods.map { method in
                visit.deliveryChoice(method, isSelected: method.id == visit.enteredValue("methodId"))
            })
    }
}

extension Visit {
    /// Whether the server offers rides, and so can show the courier's position.
    private var offersRides: Bool { site.actions[Contract.ride.endpoint] != nil }

    /// Reads one of the visitor's orders with the ride that delivers it.
    ///
    /// - Parameter reference: the order's id or number.
    /// - Throws: `DomainError.notFound`, also for another buyer's order.
    func own(order reference: String) async throws -> OrderPage.Own {
        try await read { [offersRides] principal, repositories in
            let record = try repositories.orders.order(id: reference, of: principal)
            let ride = offersRides ? record.order.rideId : nil
            return OrderPage.Own(
                record: record, ride: try ride.flatMap { try repositories.rides.ride(id: $0, locking: false) })
        }
    }
}

/// The state of an order, described for its buyer.
struct OrderState {
    let order: Order
    let visit: Visit

    /// The name of the status.
    var name: String { visit.text("order-status-\(order.status.key)") }

    var isGood: Bool { !isWarning && !isBad }

    var isWarning: Bool {
        order.deliveryFailure != nil || [.pending, .partiallyRefunded].contains(order.status)
    }

    var isBad: Bool { [.cancelled, .refunded].contains(order.status) }

    /// A sentence that explains the status to the buyer.
    var sentence: String {
        if order.deliveryFailure != nil { return visit.text("order-delivery-failed") }
        let isHopping = order.status == .fulfilled && order.shipping?.methodId == ShippingMethod.courierId
        return visit.text(isHopping ? "order-text-kangaroo" : "order-text-\(order.status.key)")
    }

    /// The past statuses with their times, followed by the usual next ones.
    var steps: [OrderValues.Step] {
        let past = order.history
        let been = Set(past.map(\.status))
        var coming: [OrderStatus] = []
        if been.isDisjoint(with: [.cancelled, .refunded]) {
            coming = [.paid, .fulfilled, .delivered].filter { !been.contains($0) }
            // A delivered order was sent, and a sent order was paid, even if the history does not include it.
            if let last = [.delivered, .fulfilled].first(where: been.contains) {
                coming = last == .delivered ? [] : coming.filter { $0 == .delivered }
            }
        }
        func step(_ status: OrderStatus, at time: Date?, isCurrent: Bool) -> OrderValues.Step {
            .init(
                label: visit.text("step-\(status.key)"),
                time: time.map { visit.language.time($0, in: visit.site.shop.timeZone) },
                timestamp: time.map { $0.formatted(.iso8601) }, isDone: time != nil, isCurrent: isCurrent)
        }
        let done = past.enumerated().map { place, event in
            step(event.status, at: event.at, isCurrent: place == past.count - 1)
        }
        return done + coming.map { step($0, at: nil, isCurrent: false) }
    }

    /// The state of the payment.
    var payment: String {
        let payment = order.payment
        let price = visit.language.price
        return switch payment.status {
        case .pending: visit.text("payment-pending", price(payment.amount))
        case .captured: visit.text("payment-captured", price(payment.amount))
        case .failed: visit.text("payment-failed")
        case .partiallyRefunded:
            visit.text("payment-partly-refunded", price(payment.amount), price(payment.refunded))
        case .refunded: visit.text("payment-refunded", price(payment.refunded))
        case .unrecognised: price(payment.amount)
        }
    }
}

extension OrderStatus {
    /// The status as part of a text's key.
    fileprivate var key: String { self == .partiallyRefunded ? "partly-refunded" : rawValue }
}
