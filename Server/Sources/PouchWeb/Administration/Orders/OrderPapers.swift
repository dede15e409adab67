import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP

/// The papers of an order, to be printed.
struct OrderPapers {
    let admin: AdminVisit

    /// The paper that lies in the parcel: the units that are left to send, and no prices.
    func packingSlip() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let order = try await admin.read { try $0.orders.order(of: reference).order }
        let left = order.lines.filter { $0.quantity > $0.refundedQuantity }
        let units = left.reduce(0) { $0 + $1.quantity - $1.refundedQuantity }
        var values = head(order)
        values["methodText"] = shown(order.shipping.map { admin.deliveryMethod($0.methodId) })
        values["handoverText"] = shown(order.handoverPlace.map { "Handed over at \($0)." })
        values["phone"] = shown(order.shipping?.address.phone)
        values["trackingText"] = shown(order.tracking.map { "\($0.carrier) \($0.number)" })
        values["unitsText"] = admin.count(units, "unit", "units")
        values["lines"] = left.map { line -> PageValues in
            [
                "name": line.name, "optionsText": admin.options(line.options), "sku": line.sku,
                "quantity": line.quantity - line.refundedQuantity,
            ]
        }
        return PageContent("admin-packing-slip", title: "Packing slip \(order.number)", values)
    }

    /// The values that every paper says of the order, the seller and the buyer.
    private func head(_ order: Order) -> PageValues {
        let seller = admin.site.settings.shopAddress
        return [
            "order": [
                "id": order.id, "number": order.number, "placedAt": admin.machineTime(order.createdAt),
                "placedText": admin.day(order.createdAt),
            ] as PageValues,
            "sellerLines": seller.isEmpty ? [admin.site.settings.publicURL] : seller,
            "addressLines": order.shipping.map { $0.address.lines() } ?? [],
        ]
    }

    func invoice() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let administration = ShopAdministration(admin.site.environment)
        let (managed, version) = try await admin.read { try administration.managedOrder(reference, in: $0) }
        let order = managed.order
        let parts = AdminOrderValues(admin: admin, managed: managed, version: version)
        let values = head(order).merging([
            "lines": parts.lines, "sums": parts.sums, "paymentText": paymentText(order),
            "footerText": order.totals.includesTax ? "Prices include the tax." : "The tax is added to the prices.",
        ]) { $1 }
        return PageContent("admin-invoice", title: "Invoice \(order.number)", values)
    }

    private func paymentText(_ order: Order) -> String {
        guard let paid = order.history.first(where: { $0.status == .paid }) else { return "Not paid." }
        return "Paid by card on \(admin.day(paid.at))."
    }
}
