import PouchDomain
import PouchEntities
import PouchHTTP
import PouchTemplates

struct PackingSlipValues: PageModel {
    struct Line: TemplateValues {
        let name, optionsText, sku: String
        /// The number of units to send.
        let quantity: Int
    }

    let order: PaperOrder
    let sellerLines: [String]
    let delivery: AdminOrderValues.Delivery?
    let trackingText: String?
    /// Shown if there are no lines.
    let nothingText: String
    let unitsText: String
    let lines: [Line]
}

struct InvoiceValues: PageModel {
    let order: PaperOrder
    let sellerLines, addressLines: [String]
    let lines: [AdminOrderLine]
    let sums: [AdminOrderSum]
    let paymentText: String
    /// nil for an order without tax.
    let taxText: String?
}

/// The values of an order that all papers share.
struct PaperOrder: TemplateValues {
    let id, number, placedAt, placedText: String
}

/// The printable papers of an order.
struct OrderPapers {
    let admin: AdminVisit

    /// The packing slip in the parcel: the units to send, without prices.
    func packingSlip() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let order = try await admin.read { try $0.orders.order(of: reference).order }
        let left = order.linesToPack
        let units = left.reduce(0) { $0 + $1.quantity - $1.refundedQuantity }
        let values = PackingSlipValues(
            order: head(order), sellerLines: sellerLines, delivery: admin.delivery(of: order),
            trackingText: order.tracking.map { "\($0.carrier) \($0.number)" },
            nothingText: order.nothingToPack,
            unitsText: admin.count(units, "unit", "units"),
            lines: left.map { line in
                .init(
                    name: line.name, optionsText: line.options.optionsText, sku: line.sku,
                    quantity: line.quantity - line.refundedQuantity)
            })
        return PageContent(values, title: "Packing slip \(order.number)")
    }

    func invoice() async throws -> PageContent {
        let reference = try admin.visit.parameter("id")
        let administration = ShopAdministration(admin.site.environment)
        let managed = try await admin.read { try administration.managedOrder(reference, in: $0).order }
        let order = managed.order
        let parts = AdminOrderParts(admin: admin, managed: managed)
        let values = InvoiceValues(
            order: head(order), sellerLines: sellerLines, addressLines: order.shipping?.address.lines() ?? [],
            lines: parts.lines, sums: parts.sums, paymentText: paymentText(order),
            taxText: order.totals.tax.amount == 0
                ? nil : order.totals.includesTax ? "Prices include tax." : "Tax is added to prices.")
        return PageContent(values, title: "Invoice \(order.number)")
    }

    private func head(_ order: Order) -> PaperOrder {
        PaperOrder(
            id: order.id, number: order.number, placedAt: admin.machineTime(order.createdAt),
            placedText: admin.day(order.createdAt))
    }

    private var sellerLines: [String] {
        let settings = admin.site.settings
        return settings.shopAddress.isEmpty ? [settings.publicURL] : settings.shopAddress
    }

    private func paymentText(_ order: Order) -> String {
        guard let paid = order.history.first(where: { $0.status == .paid }) else { return "Not paid." }
        return "Paid by card on \(admin.day(paid.at))."
    }
}
