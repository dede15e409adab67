import Hummingbird
import PouchContract
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// Returns a file from the API, with the API's checks.
    ///
    /// - Parameter query: the query of the API request.
    func answer(
        _ path: RouterPath, by exchange: any AnyExchange,
        query: @escaping @Sendable (Site, Visit) -> QueryString = { _, _ in QueryString() }
    ) {
        file(path, for: exchange.endpoint.access) { [site] visit in
            try await Submission(site: site, visit: visit).response(to: exchange, query: query(site, visit))
        }
    }
}
