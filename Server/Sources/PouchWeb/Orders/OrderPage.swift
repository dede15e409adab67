import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchRides

/// One order: its status, its lines and totals, its delivery, and what its buyer can still change.
struct OrderPage {
    /// The parts that only the buyer sees: the live status, and the forms.
    struct Own: Sendable {
        let record: OrderRecord
        /// The courier's ride; nil for other delivery methods.
        let ride: RideRecord?
    }

    let site: Site
    let visit: Visit
    let catalog: CatalogSnapshot
    let order: Order
    /// nil for an order of a link, which shows it and no more.
    var own: Own?

    static func content(_ site: Site, _ visit: Visit) async throws -> PageContent {
        let own = try await site.own(order: try visit.parameter("id"), visit)
        return OrderPage(
            site: site, visit: visit, catalog: try await site.services.catalog.current(), order: own.record.order,
            own: own
        ).content
    }

    var content: PageContent {
        let title = site.text("order-name", visit, order.number)
        return PageContent(
            "order", title: title,
            ["isSignedIn": visit.session?.principal.isGuest == false, "order": values.merging(["title": title]) { $1 }])
    }

    private var values: PageValues {
        let state = OrderState(order)
        let lines = LineValues(site: site, visit: visit, catalog: catalog)
        let method = order.shipping.map { site.deliveryName($0.methodId, visit) }
        var values: PageValues = [
            "statusText": state.sentence(site, visit), "steps": state.steps(site, visit),
            "lines": order.lines.map(lines.line),
            "totals": order.totals.values(
                visit.language, discount: own?.record.discount?.code, shipping: method,
                refunded: order.payment.refunded),
            "placed": visit.language.time(order.createdAt, in: site.shop.timeZone),
            "timestamp": order.createdAt.formatted(.iso8601), "hasAddress": order.shipping != nil,
            "addressLines": (order.shipping?.address).map(AddressValues(visit: visit, shop: site.shop).lines)
                ?? [],
            "paymentText": state.payment(site, visit),
        ]
        values["shippingMethod"] = method
        values["handover"] = order.handoverPlace.map { site.text("order-handover", visit, $0) }
        values["email"] = order.email
        values["tracking"] = order.tracking.map { tracking in
            var values: PageValues = [
                "carrier": tracking.carrier, "number": tracking.number, "isLinked": tracking.url != nil,
            ]
            values["trackingUrl"] = tracking.url
            return values
        }
        return values.merging(state.badge(site, visit)) { $1 }.merging(ownValues) { $1 }
    }

    private var ownValues: PageValues {
        guard let own else { return ["isLive": false, "canCancel": false] }
        let path = PagePath.order(order.id)
        var values: PageValues = [
            "isLive": !order.hasEnded, "liveUrl": LiveOrder.path(own), "canCancel": order.isCancellable,
            "cancelAction": path + "/cancel",
        ]
        values["deliveryFailure"] = order.deliveryFailure.map { failure in
            [
                "text": site.text("order-no-kangaroo", visit), "action": path + "/shipping",
                "methods": failure.methods.map { method in
                    site.deliveryChoice(method, visit, isSelected: method.id == visit.typed("methodId"))
                },
            ] as PageValues
        }
        values["map"] = own.ride.flatMap { KangarooMap($0, at: site.now)?.values(site, visit) }
        return values
    }
}

extension Site {
    /// Whether the server offers rides, and so shows where the courier is.
    private var offersRides: Bool { actions[Contract.ride.endpoint] != nil }

    /// An order of the visitor, with the ride that brings it.
    ///
    /// - Parameter reference: its id or its number.
    /// - Throws: `DomainError.notFound`, also for an order of another buyer.
    func own(order reference: String, _ visit: Visit) async throws -> OrderPage.Own {
        try await read(visit) { [offersRides] principal, repositories in
            let record = try repositories.orders.order(id: reference, of: principal)
            let ride = offersRides ? record.order.rideId : nil
            return OrderPage.Own(
                record: record, ride: try ride.flatMap { try repositories.rides.ride(id: $0, locking: false) })
        }
    }
}
