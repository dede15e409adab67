import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    func addPricePages() {
        let page = admin(.prices) { try await PricesPage(admin: $0).content() }
        form("/admin/prices", does: Contract.schedulePrice, showing: page) {
            ("The price of \($0.sku) was scheduled.", AdminSection.prices.path)
        }
        form("/admin/prices/{id}/delete", for: Contract.deleteScheduledPrice.endpoint.access, showing: page) {
            submission in
            // The row's hidden fields contain the price, so that it can be restored.
            let fields = submission.form.fields.filter { field in PricesPage.names.contains { $0 == field.name } }
            try await submission.perform(Contract.deleteScheduledPrice)
            let undo = Notice.Undo(
                action: AdminSection.prices.path, fields: fields.map { .init($0.name, $0.value) })
            submission.tell(
                "The scheduled price was deleted.", undo: fields.count == PricesPage.names.count ? undo : nil)
            return Redirect(to: AdminSection.prices.path)
        }
    }
}

struct PricesValues: PageModel {
    /// The fields of a new price.
    struct Draft: TemplateValues {
        let sku, price, startsAt, endsAt: String
    }

    struct Filter: TemplateValues {
        let sku: String
        let isSet: Bool
    }

    struct Price: TemplateValues {
        let id, sku, priceText, amount, startsAt, startsText, endsAt, endsText: String
        let status: StatusValues
    }

    let timeZoneText, currency: String
    let draft: Draft
    let filter: Filter
    let pager: PagerValues?
    let prices: [Price]
}

struct PricesPage {
    /// The names of the fields in a price's form.
    static let names = ["sku", "price:money", "startsAt:time", "endsAt:time"]

    let admin: AdminVisit

    func content() async throws -> PageContent {
        let visit = admin.visit
        let sku = visit.query("sku")
        let page = try await admin.list(
            "scheduled-prices", like: Contract.scheduledPrices, key: \.id
        ) { repositories, after, limit in
            try repositories.scheduledPrices.prices(sku: sku, after: after, limit: limit)
        }
        // If the form of a row failed, the form for a new price must not show the row's values.
        let isNew = visit.path == AdminSection.prices.path
        func typed(_ name: String) -> String { isNew ? visit.enteredValue(name) : "" }
        let values = PricesValues(
            timeZoneText: admin.timeZoneText, currency: admin.site.shop.currency.code,
            draft: .init(
                sku: visit.form == nil ? sku ?? "" : typed("sku"), price: typed("price"), startsAt: typed("startsAt"),
                endsAt: typed("endsAt")),
            filter: .init(sku: sku ?? "", isSet: sku != nil),
            pager: ListAddress(AdminSection.prices.path, ["sku"], of: visit).pager(page), prices: page.items.map(row))
        return PageContent(values, title: "Scheduled prices")
    }

    private func row(_ price: ScheduledPrice) -> PricesValues.Price {
        PricesValues.Price(
            id: price.id, sku: price.sku, priceText: admin.price(price.price), amount: price.price.decimal,
            startsAt: WireTime.text(price.startsAt), startsText: admin.time(price.startsAt),
            endsAt: WireTime.text(price.endsAt), endsText: admin.time(price.endsAt), status: status(price))
    }

    private func status(_ price: ScheduledPrice) -> StatusValues {
        let now = admin.site.now
        if price.endsAt <= now { return StatusTone.warn.status("Ended") }
        return now < price.startsAt ? StatusTone.plain.status("Upcoming") : StatusTone.good.status("In effect")
    }
}
