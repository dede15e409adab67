import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities

/// Variants, discounts and scheduled prices.
struct AdministrationHandlers {
    private let pages: ListPager
    private let administration: ShopAdministration

    init(services: ShopServices, pages: ListPager) {
        self.pages = pages
        administration = ShopAdministration(services.environment)
    }

    func updateVariant(_ call: Call<VariantPatch>, in repositories: any Repositories) throws -> Reply<ManagedVariant> {
        let (before, after) = try administration.updateVariant(
            sku: call.parameter("sku"), price: call.input.price, available: call.input.available,
            adjust: call.input.adjust, in: repositories)
        call.replaced(before)
        return Reply(after)
    }

    // MARK: Discounts

    func discounts(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<ManagedDiscount>> {
        Reply(
            try pages.page(list: "discounts", call.input, key: \.id) { after, limit in
                try repositories.discounts.discounts(after: after, limit: limit).map(\.managed)
            })
    }

    func addDiscount(_ call: Call<DiscountTerms>, in repositories: any Repositories) throws -> Reply<ManagedDiscount> {
        Reply(try administration.addDiscount(call.input, in: repositories))
    }

    func updateDiscount(
        _ call: Call<DiscountPatch>, in repositories: any Repositories
    ) throws -> Reply<ManagedDiscount> {
        let (before, after) = try administration.updateDiscount(id: call.parameter("id"), in: repositories) {
            call.input.applied(to: $0)
        }
        call.replaced(before)
        return Reply(after)
    }

    func deleteDiscount(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try administration.deleteDiscount(id: call.parameter("id"), in: repositories))
    }

    // MARK: Scheduled prices

    func scheduledPrices(
        _ call: Call<ScheduledPricesQuery>, in repositories: any Repositories
    ) throws -> Reply<Page<ScheduledPrice>> {
        let query = call.input
        return Reply(
            try pages.page(list: "scheduled-prices", query.page, key: \.id) { after, limit in
                try repositories.scheduledPrices.prices(sku: query.sku, after: after, limit: limit)
            })
    }

    func schedulePrice(
        _ call: Call<ScheduledPriceRequest>, in repositories: any Repositories
    ) throws -> Reply<ScheduledPrice> {
        Reply(
            try administration.schedulePrice(
                sku: call.input.sku, price: call.input.price, startsAt: call.input.startsAt, endsAt: call.input.endsAt,
                in: repositories))
    }

    func deletePrice(_ call: Call<Void>, in repositories: any Repositories) throws {
        call.replaced(try administration.deleteScheduledPrice(id: call.parameter("id"), in: repositories))
    }
}
