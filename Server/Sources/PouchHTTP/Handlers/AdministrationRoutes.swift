import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension ShopRouter {
    /// Variants, discounts and scheduled prices.
    static func addAdministration(to routes: RouteRegistrar, _ services: ShopServices) {
        let administration = ShopAdministration(services.environment)
        // Read committed, because buyers and administrators may change the same SKU at the same time.
        routes(Contract.updateVariant).write(isolation: .readCommitted) { call, repositories in
            let (before, after) = try administration.updateVariant(
                sku: call.parameter("sku"), price: call.input.price, available: call.input.available,
                adjust: call.input.adjust, in: repositories)
            call.replaced(before)
            return after
        }

        routes(Contract.discounts).list("discounts", by: \.id) { _, page, repositories in
            try repositories.discounts.discounts(after: page.after, limit: page.limit).map(\.managed)
        }
        @Sendable func reply(_ discount: ManagedDiscount) throws -> Reply<ManagedDiscount> {
            Reply(discount, etag: String(try administration.version(of: discount)))
        }
        routes(Contract.discount).read { call, repositories in
            try reply(repositories.discounts.record(id: call.parameter("id")).orNotFound().managed)
        }
        routes(Contract.addDiscount).write { try reply(administration.addDiscount($0.input, in: $1)) }
        routes(Contract.updateDiscount).write { call, repositories in
            let (before, after) = try administration.updateDiscount(
                id: call.parameter("id"), ifMatch: call.ifMatch, in: repositories
            ) { call.input.applied(to: $0) }
            call.replaced(before)
            return try reply(after)
        }
        routes(Contract.deleteDiscount).delete { call, repositories in
            call.replaced(try administration.deleteDiscount(id: call.parameter("id"), in: repositories))
        }

        routes(Contract.scheduledPrices).list("scheduled-prices", by: \.id) { call, page, repositories in
            try repositories.scheduledPrices.prices(sku: call.input.sku, after: page.after, limit: page.limit)
        }
        routes(Contract.schedulePrice).write { call, repositories in
            try administration.schedulePrice(
                sku: call.input.sku, price: call.input.price, startsAt: call.input.startsAt,
                endsAt: call.input.endsAt, in: repositories)
        }
        routes(Contract.deleteScheduledPrice).delete { call, repositories in
            call.replaced(try administration.deleteScheduledPrice(id: call.parameter("id"), in: repositories))
        }
    }

    /// Customers, sales and stock, for the staff.
    static func addFigures(to routes: RouteRegistrar, _ services: ShopServices) {
        routes(Contract.customers).list("customers", by: \.id) { call, page, repositories in
            try repositories.customers.customers(
                matching: call.input.text.map { SearchTerm.terms(in: $0) } ?? [], after: page.after, limit: page.limit)
        }
        routes(Contract.customer).read { call, repositories in
            try repositories.customers.details(id: call.parameter("id"), in: repositories)
        }
        let reporter = SalesReporter(services.environment)
        routes(Contract.salesReport).read { call, repositories in
            let query = call.input
            return try reporter.report(from: query.from, until: query.until, by: query.by ?? .day, in: repositories)
        }
        routes(Contract.stockLevels).list("stock", by: \.sku) { call, page, repositories in
            try repositories.figures.stockLevels(atMost: call.input.most, after: page.after, limit: page.limit)
        }

        let exports = ExportHandlers(services: services)
        routes(Contract.exportOrders).stream(exports.orders)
        routes(Contract.exportCustomers).stream(exports.customers)
        routes(Contract.exportStock).stream(exports.stock)
    }
}
