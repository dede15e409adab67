import PouchEntities

/// The query of `importCatalog`.
public struct ImportQuery: QueryDecodable {
    public let format: FeedFormat
    /// Whether to find out what would change, and change nothing.
    public let isDryRun: Bool

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        let format = try reader.word("format", FeedFormat.self)
        isDryRun = try reader.flag("dryRun") ?? false
        guard let format else {
            throw QueryProblem(name: "format", detail: "Name the format: shopify-csv or layers-json.")
        }
        self.format = format
    }
}

/// The query of `scheduledPrices`.
public struct ScheduledPricesQuery: QueryDecodable {
    /// nil: of all.
    public let sku: String?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        sku = try reader.text("sku")
        page = try PageQuery(from: &reader)
    }
}

/// The query of `allOrders`.
public struct AllOrdersQuery: QueryDecodable {
    /// nil: all of them.
    public let status: OrderStatus?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        status = try reader.word("status", OrderStatus.self)
        page = try PageQuery(from: &reader)
    }
}
