import Hummingbird
import PouchContract
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// Files for spreadsheets.
    func addAdminExports() {
        answer("/admin/exports/orders", by: Contract.exportOrders) { OrderSelection($0, $1).query }
        answer("/admin/exports/customers", by: Contract.exportCustomers)
        answer("/admin/exports/stock", by: Contract.exportStock)
    }

    /// A file that is the answer of the API, with its checks.
    ///
    /// - Parameter query: that of the API's request.
    func answer(
        _ path: RouterPath, by exchange: any AnyExchange,
        query: @escaping @Sendable (Site, Visit) -> QueryString = { _, _ in QueryString() }
    ) {
        file(path, for: exchange.endpoint.access) { [site] visit in
            let submission = Submission(site: site, visit: visit, form: FormBody([]))
            return try await submission.answer(exchange, query: query(site, visit))
        }
    }
}
