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
        try await page(
            Contract.customers, .administration(.customers(search: search, limit: limit, cursor: cursor)))
    }

    public func customer(id: String) async throws(DataError) -> CustomerDetails {
        try await perform(Contract.customer, .administration(.customer(id: id)))
    }

    /// - Parameters:
    ///   - from: nil for the start of the 30th day before `until`.
    ///   - until: nil for now.
    public func sales(
        from: Date? = nil, until: Date? = nil, by step: SalesReport.Step = .day
    ) async throws(DataError) -> SalesReport {
        let path = Path.Administration.sales(
            from: from.map { WireTime.text($0) }, until: until.map { WireTime.text($0) }, by: step.rawValue)
        return try await perform(Contract.salesReport, .administration(path))
    }

    /// A page of the stock, by SKU.
    ///
    /// - Parameter atMost: only variants with at most so many available units; nil for all.
    public func stock(
        atMost threshold: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<StockLevel> {
        try await page(
            Contract.stockLevels,
            .administration(.stock(threshold: threshold, limit: limit, cursor: cursor)))
    }

    /// Downloads the customers as CSV.
    public func exportCustomers(to file: URL) async throws(DataError) {
        try await download(.administration(.exportCustomers), to: file)
    }

    /// Downloads the stock as CSV.
    public func exportStock(to file: URL) async throws(DataError) {
        try await download(.administration(.exportStock), to: file)
    }
}
