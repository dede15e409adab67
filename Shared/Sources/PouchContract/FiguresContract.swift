import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let customers = Exchange<CustomersQuery, Page<Customer>>(
        "customers", .get, "/v1/admin/customers", .staff(.readCustomers), .readsPersons,
        about: "Lists matching customers, latest first.")
    public static let customer = Exchange<NoInput, CustomerDetails>(
        "customer", .get, "/v1/admin/customers/{id}", .staff(.readCustomers),
        about: "Returns a customer with addresses and orders.")

    public static let salesReport = Exchange<SalesQuery, SalesReport>(
        "salesReport", .get, "/v1/admin/reports/sales", .staff(.readReports),
        problems: [.validationFailed],
        about: "Reports sales by day, week or month, in the shop's time zone.")
    public static let stockLevels = Exchange<StockQuery, Page<StockLevel>>(
        "stockLevels", .get, "/v1/admin/stock", .staff(.readCatalog),
        about: "Lists units on hand, held and available, by SKU.")

    /// The exports are CSV (RFC 4180) in UTF-8 with a byte order mark, with the latest orders and customers first. An
    /// answer that ends early is incomplete.
    public static let exportOrders = Exchange<OrderSearch, RawBytes>(
        "exportOrders", .get, "/v1/admin/exports/orders", .staff(.readOrders), .readsPersons,
        about: "Exports orders as CSV, with one row for each line.")
    public static let exportCustomers = Exchange<NoInput, RawBytes>(
        "exportCustomers", .get, "/v1/admin/exports/customers", .staff(.readCustomers), .readsPersons,
        about: "Exports customers as CSV.")
    public static let exportStock = Exchange<NoInput, RawBytes>(
        "exportStock", .get, "/v1/admin/exports/stock", .staff(.readCatalog),
        about: "Exports stock as CSV.")

    static let figureExchanges: [any AnyExchange] = [
        customers, customer, salesReport, stockLevels, exportOrders, exportCustomers, exportStock,
    ]
}

/// The query of `customers`.
public struct CustomersQuery: PagedQuery {
    /// The whole e-mail address, or whole words of the name; nil for all customers.
    public var text: String?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("q", &text, length: ModelLimits.emailLength.upperBound)
        try page.code(&coder)
    }
}

/// The query of `salesReport`.
public struct SalesQuery: QueryType {
    /// The start; nil for the start of the 30th day before `until`.
    public var from: Date?
    /// The end; nil for now.
    public var until: Date?
    /// The length of the periods; nil for days.
    public var by: SalesReport.Step?

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.period("from", &from, "until", &until)
        try coder.word("by", &by)
    }
}

/// The query of `stockLevels`.
public struct StockQuery: PagedQuery {
    /// Whether to list only variants with few available units; by default if there is a threshold.
    public var isLow: Bool?
    /// The maximum available units of a variant that is low in stock; by default `Availability.lowStock`.
    public var threshold: Int?
    public var page = PageQuery()

    /// The maximum available units; nil for all variants.
    public var most: Int? { isLow ?? (threshold != nil) ? threshold ?? Availability.lowStock : nil }

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.flag("low", &isLow)
        try coder.integer("threshold", &threshold, in: ModelLimits.stock)
        try page.code(&coder)
    }
}
