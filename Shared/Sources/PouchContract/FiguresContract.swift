import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let customers = Exchange<NoBody, Page<Customer>>(
        .customers, query: CustomersQuery.self, .readsPersons)
    public static let customer = Exchange<NoBody, CustomerDetails>(.customer)

    public static let salesReport = Exchange<NoBody, SalesReport>(
        .salesReport, query: SalesQuery.self, problems: [.validationFailed])
    public static let stockLevels = Exchange<NoBody, Page<StockLevel>>(.stockLevels, query: StockQuery.self)

    /// The exports are CSV (RFC 4180) in UTF-8 with a byte order mark, the latest orders and customers first. An answer
    /// that ends early was cut off.
    public static let exportOrders = Exchange<NoBody, RawBytes>(
        .exportOrders, query: OrderFilter.self, .readsPersons)
    public static let exportCustomers = Exchange<NoBody, RawBytes>(.exportCustomers, .readsPersons)
    public static let exportStock = Exchange<NoBody, RawBytes>(.exportStock)

    static let figures: [any AnyExchange] = [
        customers, customer, salesReport, stockLevels, exportOrders, exportCustomers, exportStock,
    ]
}

/// The query of `customers`.
public struct CustomersQuery: QueryDecodable {
    /// The whole e-mail address, or whole words of the name; nil for all customers.
    public let text: String?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        text = try reader.text("q", length: ModelLimits.emailLength.upperBound)
        page = try PageQuery(from: &reader)
    }
}

/// The query of `salesReport`.
public struct SalesQuery: QueryDecodable {
    /// nil for the start of the 30th day before `until`.
    public let from: Date?
    /// nil for now.
    public let until: Date?
    public let by: SalesReport.Step

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        (from, until) = try reader.period("from", "until")
        by = try reader.word("by", SalesReport.Step.self) ?? .day
    }
}

/// The query of `stockLevels`.
public struct StockQuery: QueryDecodable {
    /// Whether only variants with at most `threshold` available units are wanted.
    public let isLow: Bool
    /// By default `Availability.lowStock`.
    public let threshold: Int
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        let low = try reader.flag("low")
        let threshold = try reader.integer("threshold", in: ModelLimits.stock)
        isLow = low ?? (threshold != nil)
        self.threshold = threshold ?? Availability.lowStock
        page = try PageQuery(from: &reader)
    }
}
