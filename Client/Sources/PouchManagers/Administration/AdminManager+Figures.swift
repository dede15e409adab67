import Foundation
import PouchData
import PouchEntities

/// Customers, sales and stock.
extension AdminManager {
    /// One page of customers, the latest first.
    ///
    /// - Parameter search: the whole e-mail address, or whole words of the name; nil for all.
    public func customers(
        search: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<Customer> {
        try await data.customers(search: search, limit: limit, cursor: cursor)
    }

    /// All customers that match, the latest first.
    public nonisolated func allCustomers(search: String? = nil) -> AllPages<Customer> {
        AllPages { [data] cursor throws(DataError) in
            try await data.customers(search: search, limit: 200, cursor: cursor)
        }
    }

    /// A customer with addresses and orders.
    ///
    /// - Throws: `.notFound`.
    public func customer(id: String) async throws(DataError) -> CustomerDetails {
        try await data.customer(id: id)
    }

    /// The sales of a time, in the time zone of the shop.
    ///
    /// - Parameters:
    ///   - from: nil for the start of the 30th day before `until`.
    ///   - until: nil for now. At most five years later.
    ///   - step: the length of the periods, of which there are at most 400.
    public func sales(
        from: Date? = nil, until: Date? = nil, by step: SalesReport.Step = .day
    ) async throws(DataError) -> SalesReport {
        try await data.sales(from: from, until: until, by: step)
    }

    /// One page of the stock, by SKU.
    ///
    /// - Parameter threshold: only variants with at most so many available units; nil for all.
    public func stock(
        atMost threshold: Int? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws(DataError) -> Page<StockLevel> {
        try await data.stock(atMost: threshold, limit: limit, cursor: cursor)
    }

    /// The whole stock, by SKU.
    public nonisolated func allStock(atMost threshold: Int? = nil) -> AllPages<StockLevel> {
        AllPages { [data] cursor throws(DataError) in
            try await data.stock(atMost: threshold, limit: 200, cursor: cursor)
        }
    }

    /// Downloads the customers as CSV; see `exportOrders`.
    public func exportCustomers(to file: URL) async throws(DataError) {
        try await data.exportCustomers(to: file)
    }

    /// Downloads the stock as CSV; see `exportOrders`.
    public func exportStock(to file: URL) async throws(DataError) {
        try await data.exportStock(to: file)
    }
}
