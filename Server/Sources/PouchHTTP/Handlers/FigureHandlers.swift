import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities

/// Customers, sales and stock, for the staff.
struct FigureHandlers {
    private let pages: ListPager
    private let reporter: SalesReporter

    init(services: ShopServices, pages: ListPager) {
        self.pages = pages
        reporter = SalesReporter(services.environment)
    }

    func customers(_ call: Call<CustomersQuery>, in repositories: any Repositories) throws -> Reply<Page<Customer>> {
        let query = call.input
        let terms = query.text.map { SearchTerm.terms(in: $0) } ?? []
        return Reply(
            try pages.page(list: "customers", query.page, key: \.id) { after, limit in
                try repositories.customers.customers(matching: terms, after: after, limit: limit)
            })
    }

    func customer(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<CustomerDetails> {
        Reply(try repositories.customers.details(id: call.parameter("id"), in: repositories))
    }

    func sales(_ call: Call<SalesQuery>, in repositories: any Repositories) throws -> Reply<SalesReport> {
        let query = call.input
        return Reply(try reporter.report(from: query.from, until: query.until, by: query.by ?? .day, in: repositories))
    }

    func stock(_ call: Call<StockQuery>, in repositories: any Repositories) throws -> Reply<Page<StockLevel>> {
        let query = call.input
        return Reply(
            try pages.page(list: "stock", query.page, key: \.sku) { after, limit in
                try repositories.figures.stockLevels(
                    atMost: query.most, after: after, limit: limit)
            })
    }
}
