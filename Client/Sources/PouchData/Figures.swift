import Foundation
import PouchContract
import PouchEntities
import PouchJSON
import PouchService

/// Customers, sales and stock, for the staff.
extension DataManager {
    /// A page of customers, newest first.
    ///
    /// - Parameter search: the whole e-mail address, or whole words of the name.
    public func customers(
        search: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Customer> {
        let query = CustomersQuery { ($0.text, $0.page) = (search, PageQuery(limit: limit, cursor: cursor)) }
        return try await page(Contract.customers, query: query)
    }

    public func customer(id: String) async throws(DataError) -> CustomerDetails {
        try await perform(Contract.customer, id)
    }

    /// - Parameters:
    ///   - from: nil for the start of the 30th day before `until`.
    ///   - until: nil for now.
    public func sales(
        from: Date? = nil, until: Date? = nil, by step: SalesReport.Step = .day
    ) async throws(DataError) -> SalesReport {
        let query = SalesQuery { ($0.from, $0.until, $0.by) = (from, until, step) }
        return try await perform(Contract.salesReport, query: query)
    }

    /// A page of the stock, by SKU.
    ///
    /// - Parameter atMost: only variants with at most so many available units; nil for all.
    public func stock(
        atMost threshold: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<StockLevel> {
        let query = StockQuery { ($0.threshold, $0.page) = (threshold, PageQuery(limit: limit, cursor: cursor)) }
        return try await page(Contract.stockLevels, query: query)
    }

    /// Downloads the customers as CSV.
    public func exportCustomers(to file: URL) async throws(DataError) {
        try await download(Contract.exportCustomers.call(), to: file)
    }

    /// Downloads the stock as CSV.
    public func exportStock(to file: URL) async throws(DataError) {
        try await download(Contract.exportStock.call(), to: file)
    }
}
