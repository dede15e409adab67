import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    public static let customers = Exchange<CustomersQuery, Page<Customer>>(
        "customers", .get, "/v1/admin/customers", .staff(.readCustomers), .readsPersons,
        about: "The customers that match, the latest first.")
    public static let customer = Exchange<NoInput, CustomerDetails>(
        "customer", .get, "/v1/admin/customers/{id}", .staff(.readCustomers),
        about: "A customer with addresses and orders.")

    public static let salesReport = Exchange<SalesQuery, SalesReport>(
        "salesReport", .get, "/v1/admin/reports/sales", .staff(.readReports),
        problems: [.validationFailed],
        about: "The sales of a period by day, week or month, in the shop's time zone.")
    public static let stockLevels = Exchange<StockQuery, Page<StockLevel>>(
        "stockLevels", .get, "/v1/admin/stock", .staff(.readCatalog),
        about: "The units on hand, held and available, by SKU.")

    /// The exports are CSV (RFC 4180) in UTF-8 with a byte order mark, the latest orders and customers first. An answer
    /// that ends early was cut off.
    public static let exportOrders = Exchange<OrderSearch, RawBytes>(
        "exportOrders", .get, "/v1/admin/exports/orders", .staff(.readOrders), .readsPersons,
        about: "Orders as CSV, with one row for each line.")
    public static let exportCustomers = Exchange<NoInput, RawBytes>(
        "exportCustomers", .get, "/v1/admin/exports/customers", .staff(.readCustomers), .readsPersons,
        about: "The customers as CSV.")
    public static let exportStock = Exchange<NoInput, RawBytes>(
        "exportStock", .get, "/v1/admin/exports/stock", .staff(.readCatalog),
        about: "The stock as CSV.")

    static let figures: [any AnyExchange] = [
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
    /// nil for the start of the 30th day before `until`.
    public var from: Date?
    /// nil for now.
    public var until: Date?
    /// nil for days.
    public var by: SalesReport.Step?

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.period("from", &from, "until", &until)
        try coder.word("by", &by)
    }
}

/// The query of `stockLevels`.
public struct StockQuery: PagedQuery {
    /// Whether only variants with few available units are wanted; by default if there is a threshold.
    public var isLow: Bool?
    /// The most available units of a variant that has few; by default `Availability.lowStock`.
    public var threshold: Int?
    public var page = PageQuery()

    /// The most available units; nil for all variants.
    public var most: Int? { isLow ?? (threshold != nil) ? threshold ?? Availability.lowStock : nil }

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.flag("low", &isLow)
        try coder.integer("threshold", &threshold, in: ModelLimits.stock)
        try page.code(&coder)
    }
}
