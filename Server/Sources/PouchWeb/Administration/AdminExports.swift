import Hummingbird
import PouchContract
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// Adds the files for spreadsheets.
    func addAdminExports() {
        answer("/admin/exports/orders", by: Contract.exportOrders) { OrderSelection($0, $1).query }
        answer("/admin/exports/customers", by: Contract.exportCustomers)
        answer("/admin/exports/stock", by: Contract.exportStock)
    }

    /// Returns a file from the API, with the API's checks.
    ///
    /// - Parameter query: the query of the API request.
    func answer(
        _ path: RouterPath, by exchange: any AnyExchange,
        query: @escaping @Sendable (Site, Visit) -> QueryString = { _, _ in QueryString() }
    ) {
        file(path, for: exchange.endpoint.access) { [site] visit in
            let submission = Submission(site: site, visit: visit, form: FormBody([]))
            return try await submission.response(to: exchange, query: query(site, visit))
        }
    }
}
