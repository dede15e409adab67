import Foundation
import PouchContract
import PouchEntities

/// Customers, sales and stock.
extension AdminManager {
    /// One page of customers, newest first.
    ///
    /// - Parameter search: the whole e-mail address, or whole words of the name; nil for all.
    public func customers(
        search: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Customer> {
        let query = CustomersQuery { ($0.text, $0.page) = (search, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.customers, query: query)
    }

    /// All matching customers, newest first.
    public func allCustomers(search: String? = nil) -> AllPages<Customer> {
        data.all(Contract.customers, query: CustomersQuery { $0.text = search })
    }

    /// A customer with addresses and orders.
    ///
    /// - Throws: `.notFound`.
    public func customer(id: String) async throws(DataError) -> CustomerDetails {
        try await data.perform(Contract.customer, id)
    }

    /// The sales of a period, in the shop's time zone.
    ///
    /// - Parameters:
    ///   - from: nil for the start of the 30th day before `until`.
    ///   - until: nil for now; at most five years after `from`.
    ///   - step: the length of each interval; at most 400 intervals.
    public func sales(
        from: Date? = nil, until: Date? = nil, by step: SalesReport.Step = .day
    ) async throws(DataError) -> SalesReport {
        try await data.perform(
            Contract.salesReport, query: SalesQuery { ($0.from, $0.until, $0.by) = (from, until, step) })
    }

    /// One page of the stock, by SKU.
    ///
    /// - Parameter threshold: the maximum number of available units of the variants to list; nil for all.
    public func stock(
        atMost threshold: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<StockLevel> {
        let query = StockQuery { ($0.threshold, $0.page) = (threshold, PageQuery(limit: limit, cursor: cursor)) }
        return try await data.page(Contract.stockLevels, query: query)
    }

    /// The whole stock, by SKU.
    public func allStock(atMost threshold: Int? = nil) -> AllPages<StockLevel> {
        data.all(Contract.stockLevels, query: StockQuery { $0.threshold = threshold })
    }

    /// Downloads the customers as CSV; see `exportOrders`.
    public func exportCustomers(to file: URL) async throws(DataError) {
        try await data.download(Contract.exportCustomers.call(), to: file)
    }

    /// Downloads the stock as CSV; see `exportOrders`.
    public func exportStock(to file: URL) async throws(DataError) {
        try await data.download(Contract.exportStock.call(), to: file)
    }
}
