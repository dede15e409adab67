import Foundation
import PouchDomain
import PouchEntities
import PouchHTTP

/// The invoice of an order, to be printed.
struct InvoicePage {
    let admin: AdminVisit

    func content() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let administration = ShopAdministration(admin.site.environment)
        let (managed, version) = try await admin.read { try administration.managedOrder(reference, in: $0) }
        let order = managed.order
        let parts = AdminOrderValues(admin: admin, managed: managed, version: version)
        let seller = admin.site.settings.shopAddress
        let values: PageValues = [
            "order": [
                "id": order.id, "number": order.number, "placedAt": admin.machineTime(order.createdAt),
                "placedText": admin.day(order.createdAt),
            ] as PageValues,
            "sellerLines": seller.isEmpty ? [admin.site.settings.publicURL] : seller,
            "addressLines": order.shipping.map { $0.address.lines() } ?? [], "lines": parts.lines,
            "sums": parts.sums, "paymentText": paymentText(order),
            "footerText": order.totals.includesTax ? "Prices include the tax." : "The tax is added to the prices.",
        ]
        return PageContent("admin-invoice", title: "Invoice \(order.number)", values)
    }

    private func paymentText(_ order: Order) -> String {
        guard let paid = order.history.first(where: { $0.status == .paid }) else { return "Not paid." }
        return "Paid by card on \(admin.day(paid.at))."
    }
}
